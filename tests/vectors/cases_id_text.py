"""Group `id_text`: decimal texts at a border, of ids that a generator could have made."""

from cases_codec import answered
from model import case, id_pair
from model_codec import GREATEST, Fault, ModelCodec

GREATEST_OF_A_GENERATOR = "9223372036854775807"


def decoded(text):
    number = ModelCodec("decimal").decode(text)
    if number > int(GREATEST_OF_A_GENERATOR):
        pairs = zip(text, GREATEST_OF_A_GENERATOR)
        longer = len(text) > len(GREATEST_OF_A_GENERATOR)
        at = len(GREATEST_OF_A_GENERATOR) if longer else next(i for i, (mine, most) in enumerate(pairs) if mine > most)
        raise Fault("id_out_of_range", at)
    return id_pair(number)


def read(comment, text, error=None, flags=""):
    return case("id_text", comment, flags, {"text": text, **answered(error, lambda: decoded(text))})


def id_text_cases():
    for number, what in ((0, "0"), (1, "1"), (2**53 + 1, "2^53 + 1"), (10**18, "10^18"), (2**62, "2^62"),
                         (1541815603606036480, "a tweet of 2022"), (2**63 - 2, "2^63 - 2"), (2**63 - 1, "2^63 - 1")):
        yield read(f"{what} could be of a generator", str(number))
    for number, what in ((2**63, "2^63"), (2**63 + 1, "2^63 + 1"), (9300000000000000000, "93 and 17 zeros"),
                         (10**19 - 1, "the greatest of 19 digits"), (10**19, "10^19"), (GREATEST, "2^64 - 1")):
        yield read(f"{what} fits in 64 bits, but no generator makes it", str(number), "id_out_of_range")
    for number, what in ((2**64, "2^64"), (2**64 + 1, "2^64 + 1"), (10**20 - 1, "the greatest of 20 digits")):
        yield read(f"{what} is beyond 64 bits", str(number), "id_out_of_range", "wraparound")
    for text in ("", " ", " 5 ", "5\n", "-1", "+5", "-0", "1_000", "5.0", "5e3", "0x5", "5n", "null", "1" * 21, "1" * 5000):
        yield read(f"{text[:24]!r} is no canonical decimal", text, "text_invalid")
    for text in ("00", "007", "0" * 19, "0" + GREATEST_OF_A_GENERATOR):
        yield read("a leading zero", text, "text_invalid", "non_canonical")
    for text, what in (("\u0661\u0662", "Arabic digits"), ("\uff11\uff12", "full-width digits"), ("5\u00a0", "a no-break space")):
        yield read(what, text, "text_invalid", "unicode")
    yield read("a NUL at the end", "5\0", "text_invalid", "embedded_nul")
