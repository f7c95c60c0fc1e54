"""META-INF/native-image of the jar lists the classes that C++ and Java find by name, and the resources."""

from __future__ import annotations

import json
import re
import zipfile

import project

FOLDER = "java/src/main/resources/META-INF/native-image/io.github.polyflake/polyflake/"
WRAPPER = "build/cpp/bindings/java/polyflake_wrap.cxx"  # what SWIG writes
TYPES = {"I": "int", "B": "byte", "J": "long"}


def entries(name: str) -> dict[str, dict]:
    return {entry["name"]: entry for entry in json.loads(project.text(f"{FOLDER}{name}.json"))}


def sources(folder: str, endings: tuple[str, ...]) -> str:
    return "".join(project.text(path) for path in project.files() if path.startswith(folder) and path.endswith(endings))


def dotted(name: str) -> str:
    """java/lang/String as java.lang.String, [Ljava/lang/String; as java.lang.String[]."""
    name = name.replace("/", ".")
    return f"{name[2:-1]}[]" if name.startswith("[L") else name


def parameters(signature: str) -> list[str]:
    found = re.findall(r"\[?(?:L[^;]+;|[A-Z])", signature)
    return [
        dotted(one[1:-1]) if one.startswith("L") else f"{TYPES[one[1]]}[]" if one.startswith("[") else TYPES[one]
        for one in found
    ]


def check_every_class_that_cpp_finds_is_listed():
    code = sources("bindings/java/", (".hpp", ".cpp", ".i")) + project.text(WRAPPER)
    found = {dotted(name) for name in re.findall(r'"(\[?L?(?:java/lang|io/github)/[\w/$]+;?)"', code)}
    listed = entries("jni-config")
    for name in found ^ set(listed):
        yield f"{FOLDER}jni-config.json and the C++ of the binding differ in {name}"
    for name, signature in re.findall(r'Get(?:Static)?MethodID\(\w+, "(\w+)", "\(([^)]*)\)', code):
        wanted = {"name": name, "parameterTypes": parameters(signature)}
        if not any(wanted in entry.get("methods", []) for entry in listed.values()):
            yield f"{FOLDER}jni-config.json: no {wanted}"


def check_every_class_that_java_finds_by_name_is_listed():
    code = sources("java/src/main/java/", (".java",))
    found = set(re.findall(r'"((?:java|javax|io|org|com|redis)\.[a-z][\w.]*\.[A-Z][\w$]*)"', code))
    listed = set(entries("reflect-config"))
    for name in found - listed:
        yield f"{FOLDER}reflect-config.json: no {name}"
    if len(found) < 10:
        yield f"only {len(found)} names found"


def check_every_resource_is_listed():
    patterns = [
        entry["pattern"] for entry in json.loads(project.text(f"{FOLDER}resource-config.json"))["resources"]["includes"]
    ]
    plain = [re.sub(r"\\Q(.*?)\\E", lambda quoted: re.escape(quoted[1]), pattern) for pattern in patterns]
    with zipfile.ZipFile(project.jar) as jar:
        names = [name for name in jar.namelist() if name.startswith("io/") and not name.endswith((".class", "/"))]
    for name in names:
        if not any(re.fullmatch(pattern, name) for pattern in plain):
            yield f"{FOLDER}resource-config.json: no {name}"
    if len(names) < 4:
        yield f"only {names}"


def check_the_jar_says_what_it_is():
    with zipfile.ZipFile(project.jar) as jar:
        manifest = jar.read("META-INF/MANIFEST.MF").decode()
        module = "module-info.class" in jar.namelist()
    for line in (
        "Main-Class: io.github.polyflake.Main",
        "Enable-Native-Access: ALL-UNNAMED",
        f"Implementation-Version: {project.version()}",
    ):
        if line not in manifest.splitlines():
            yield f"META-INF/MANIFEST.MF: no {line}"
    if not module or "Automatic-Module-Name" in manifest:
        yield "the jar is a module by its module-info.class alone"
