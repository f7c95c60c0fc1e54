"""The part of JSON Schema 2020-12 that the schemas here use. A keyword not known here is an error."""

import re

TYPES = {"object": dict, "array": list, "string": str}
SILENT = {"$schema", "title", "description", "$defs"}
NESTED = {"properties", "patternProperties", "additionalProperties", "items", "prefixItems"}


def _type(kind, value, **_):
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, TYPES[kind])


def _same(a, b):
    return type(a) is type(b) and a == b


SIMPLE = {
    "type": _type,
    "const": _same,
    "enum": lambda allowed, value: any(_same(one, value) for one in allowed),
    "pattern": lambda pattern, value: not isinstance(value, str) or re.search(pattern, value) is not None,
    "minimum": lambda least, value: not isinstance(value, int) or value >= least,
    "maximum": lambda most, value: not isinstance(value, int) or value <= most,
    "minLength": lambda least, value: not isinstance(value, str) or len(value) >= least,
    "minItems": lambda least, value: not isinstance(value, list) or len(value) >= least,
    "maxItems": lambda most, value: not isinstance(value, list) or len(value) <= most,
    "minProperties": lambda least, value: not isinstance(value, dict) or len(value) >= least,
    "required": lambda names, value: not isinstance(value, dict) or all(name in value for name in names),
}


def _object_errors(root, schema, value, where):
    for name, item in value.items():
        below = [sub for key, sub in schema.get("properties", {}).items() if key == name]
        below += [sub for key, sub in schema.get("patternProperties", {}).items() if re.search(key, name)]
        if not below and schema.get("additionalProperties") is False:
            yield f"{where}: {name!r} is not allowed"
        for sub in below:
            yield from _errors(root, sub, item, f"{where}.{name}")


def _array_errors(root, schema, value, where):
    prefix = schema.get("prefixItems", [])
    for index, item in enumerate(value):
        if index < len(prefix):
            yield from _errors(root, prefix[index], item, f"{where}[{index}]")
        elif schema.get("items") is False:
            yield f"{where}: more items than allowed"
        elif "items" in schema:
            yield from _errors(root, schema["items"], item, f"{where}[{index}]")


def _errors(root, schema, value, where):
    for keyword, argument in schema.items():
        if keyword in SIMPLE:
            if not SIMPLE[keyword](argument, value):
                yield f"{where}: {keyword} {argument!r} does not hold for {str(value)[:80]!r}"
        elif keyword == "$ref":
            target = root
            for part in argument.split("/")[1:]:
                target = target[part]
            yield from _errors(root, target, value, where)
        elif keyword == "oneOf":
            found = [list(_errors(root, sub, value, where)) for sub in argument]
            if sum(not errors for errors in found) != 1:
                closest = min(found, key=len)
                yield f"{where}: not exactly one of {len(argument)} forms; closest: {closest[:1]}"
        elif keyword == "additionalProperties" and argument is not False:
            raise NotImplementedError("additionalProperties other than false")
        elif keyword not in SILENT | NESTED:
            raise NotImplementedError(keyword)
    if isinstance(value, dict):
        yield from _object_errors(root, schema, value, where)
    if isinstance(value, list):
        yield from _array_errors(root, schema, value, where)


def schema_errors(schema, value):
    """Why the value does not fit the schema: one line each, with the place."""
    return list(_errors(schema, schema, value, "document"))
