"""Group `kind_text`: what names a kind and perhaps its store, and where a text is none."""

from cases_codec import answered
from model import case
from model_kinds import MOST_OF_NAME, MOST_OF_STORE, REGISTERED, WITHOUT_STORE, kind_parts, nearest_kinds, parse_kind

MISTYPED = ("objectids", "snowflakes", "uid7", "uuid7_", "uuidv7", "uudi7", "snowflke", "obectid", "order", "segmnt")


def k(comment, text, error=None, flags="", has=None):
    more = {"message_has": has} if has else {}
    return case("kind_text", comment, flags, {"text": text, **answered(error, lambda: parse_kind(text)), **more})


def good_kinds():
    for name in WITHOUT_STORE:
        yield k(f"{name} is built in", name)
    for name in REGISTERED:
        yield k(f"{name} was registered", name)
    for what, store in (("a URL", "redis://h/0"), ("one character", "x"), ("a colon", ":"), ("a blank", " "),
                        ("the first and the last printable character", " ~"),
                        ("blanks, quotes and brackets", ' "a" [b] {c} \\d '),
                        ("colons", "a:b::c"), ("upper case", "PostgreSQL://User:Pass@Host:5432/DB?x=%20#y"),
                        ("a name of a kind", "uuid7"), ("what would be no name", "9-UUID")):
        yield k(f"a store of {what}", f"orders:{store}")
    yield k("a store is not trimmed", "segment: redis://h/0 ")
    yield k("the longest name with a store", f"{REGISTERED[-1]}:memory")
    yield k(f"a store of {MOST_OF_STORE} characters", "a:" + "s" * MOST_OF_STORE)
    yield k("a name is not what it begins with", "a_:1")


def broken_names():
    yield k("nothing", "", "text_invalid")
    yield k("a store without a name", ":redis://h/0", "text_invalid")
    yield k("a colon alone", ":", "text_invalid")
    for text, what in (("UUID7", "upper case"), ("Uuid7", "a capital"),
                       ("uuid 7", "a blank inside"), (" uuid7", "a blank before"), ("uuid7 ", "a blank behind"),
                       ("uuid7\n", "a line feed behind"), ("\tuuid7", "a tab before"), ("uuid-7", "a hyphen"),
                       ("object.id", "a dot"), ("orders/1", "a slash"), ("uuid7?", "a question mark"),
                       ("7uuid", "a digit in front"), ("_a", "an underscore in front"),
                       ("-a", "a hyphen in front"), ("a`", "the character before a"), ("a{", "the character after z"),
                       ("a@", "the character before A"), ("a[", "the character after Z"),
                       ("Orders", "a registered name with a capital")):
        yield k(f"{what} is no name", text, "text_invalid", "non_canonical")
    for text, what in (("uuid\0", "a NUL behind the name"), ("uuid7\0", "a NUL behind a whole name"),
                       ("\0", "a NUL alone")):
        yield k(what, text, "text_invalid", "embedded_nul")
    for text, what in (("\uff55uid7", "a full-width letter"), ("uuid\u0667", "an Arabic digit"), ("\ufeffuuid7", "a byte order mark"),
                       ("uu\u0131d7", "a dotless i"), ("u\u0307uid7", "a combining dot"), ("snow\ufb02ake", "a ligature"),
                       ("orders\u00a0", "a no-break space"), ("orders\u200b", "a space of no width"),
                       ("\U0001d41euid", "a letter beyond 16 bits"), ("\u017fnowflake", "a long s, which folds to s"),
                       ("\u212anowflake", "the sign of kelvin, which folds to k"), ("orders\uff1ax", "a full-width colon")):
        yield k(f"{what} is no character of a name", text, "text_invalid", "unicode")
    longest = REGISTERED[-1]
    yield k("a name of 33 characters", longest + "5", "text_invalid")
    yield k("a name of 33 characters with a store", longest + "5:x", "text_invalid")
    yield k("a name of some thousand characters", "a" * 5000, "text_invalid")
    yield k("a name of 33 characters, the last of them in upper case", longest + "A", "text_invalid")
    yield k("the first of two faults is named", "aB C", "text_invalid")


def broken_stores():
    yield k("an empty store", "segment:", "text_invalid")
    yield k("an empty store of a kind that takes none", "uuid7:", "text_invalid")
    yield k("an empty store of a kind that is not known", "nowhere:", "text_invalid")
    yield k(f"a store of {MOST_OF_STORE + 1} characters", "a:" + "s" * (MOST_OF_STORE + 1), "text_invalid")
    for text, what in (("orders:a\tb", "a tab"), ("orders:a\n", "a line feed at the end"), ("orders:\r", "a carriage return"),
                       ("orders:\x1f", "the character before the blank"), ("orders:a\x7f", "DEL"), ("orders:\x1b[0m", "an escape")):
        yield k(f"{what} is no character of a store", text, "text_invalid")
    yield k("a NUL is no character of a store", "orders:a\0b", "text_invalid", "embedded_nul")
    for text, what in (("orders:h\u00f6st", "a letter with a dot"), ("orders:\u00a0", "a no-break space"),
                       ("orders:a\U0001f600", "a character beyond 16 bits"), ("orders:\x80", "the first one beyond ASCII"),
                       ("segment:\uff52edis", "a full-width letter")):
        yield k(f"{what} is no character of a store", text, "text_invalid", "unicode")


def unknown_kinds():
    for name in MISTYPED:
        near, distance = nearest_kinds(name)
        assert len(near) == 1 and distance <= 2, f"{name} is not mistyped from one name"
        yield k(f"{name} is near {near[0]}", name, "unknown_kind", has=near)
    for text, what in (("uuid8", "between two kinds"), ("nowhere_near_a_known_kind", "far from all"),
                       ("uuid", "without its version")):
        yield k(f"a name {what}", text, "unknown_kind")
    yield k("a name that is not known, with a store", "nowhere_near:redis://h/0", "unknown_kind")
    yield k("a mistyped name with a store", "segmnt:redis://h/0", "unknown_kind", has=["segment"])
    yield k("32 characters that nobody registered", "q" * MOST_OF_NAME, "unknown_kind")
    for name in WITHOUT_STORE:
        yield k(f"{name} takes no store", f"{name}:redis://h/0", "option_invalid")
    yield k("a blank is a store too", "uuid7: ", "option_invalid")


def kind_text_cases():
    assert all(kind_parts(name) == (name, None) for name in REGISTERED + WITHOUT_STORE)
    for cases in (good_kinds, broken_names, broken_stores, unknown_kinds):
        yield from cases()
