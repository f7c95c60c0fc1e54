"""The reference model of codecs with options: whole numbers and their digits, by division, one after the other.

What is refused is found by looking for the first rule that a text breaks, so that the position in it is part of the model.
"""

from model import Refused

ALPHABETS = {
    "decimal": "0123456789",
    "hex": "0123456789abcdef",
    "crockford32": "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
    "base36": "0123456789abcdefghijklmnopqrstuvwxyz",
    "base58": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    "base62": "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    "zbase32": "ybndrfg8ejkmcpqxot1uwisza345h769",
    "base58-flickr": "123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ",
}
AS_NEEDED = ("decimal", "zbase32", "base58-flickr")
CHECKS = ALPHABETS["crockford32"] + "*~$=U"
GREATEST = 2**64 - 1


class Fault(Refused):
    """A refusal with the position of the character at fault, or of none where it is not about a text."""

    def __init__(self, code, position=None):
        super().__init__(code)
        self.position = position


def digits_of(number, alphabet):
    digits = alphabet[number % len(alphabet)]
    while number := number // len(alphabet):
        digits = alphabet[number % len(alphabet)] + digits
    return digits


class ModelCodec:
    def __init__(self, name, width=None, check=False):
        if name not in ALPHABETS:
            raise Fault("option_invalid")
        self.name, self.alphabet, self.check = name, ALPHABETS[name], check
        self.full = len(digits_of(GREATEST, self.alphabet))
        self.width = width if width is not None else 0 if name in AS_NEEDED else self.full
        if not 0 <= self.width <= self.full or (check and name != "crockford32"):
            raise Fault("option_invalid")

    def encode(self, number):
        digits = digits_of(number, self.alphabet)
        if self.width and len(digits) > self.width:
            raise Fault("id_out_of_range")
        padded = digits.rjust(self.width, self.alphabet[0])
        return padded + (CHECKS[number % 37] if self.check else "")

    def value(self, character):
        """Of a digit; -1 for what is none."""
        if self.name == "crockford32":
            character = character.upper().replace("I", "1").replace("L", "1").replace("O", "0")
        return self.alphabet.find(character) if len(character) == 1 else -1

    def check_value(self, symbol):
        """Of a check symbol; -1 for what is none."""
        return CHECKS.find(symbol.upper()) if symbol in "*~$=Uu" else self.value(symbol)

    def decode(self, text):
        # One character a byte, so that every character beyond ASCII is wrong, and lengths are the same in all languages.
        bytes_of_text = text.encode("utf-8", "surrogatepass").decode("latin-1")
        most, symbols = self.width or self.full, 1 if self.check else 0
        digits = bytes_of_text[: len(bytes_of_text) - symbols][:most] if bytes_of_text else ""
        for position, character in enumerate(digits):
            if not character.isascii() or self.value(character) < 0:
                raise Fault("text_invalid", position)
        if symbols and not bytes_of_text[len(digits) : len(digits) + 1].isascii():
            raise Fault("text_invalid", len(digits))  # due is the check symbol
        if not digits or (self.width and len(digits) < most) or len(bytes_of_text) != len(digits) + symbols:
            raise Fault("text_invalid", min(len(bytes_of_text), most + symbols))
        if not self.width and len(digits) > 1 and self.value(digits[0]) == 0:
            raise Fault("text_invalid", 0)
        number = 0
        for character in digits:
            number = number * len(self.alphabet) + self.value(character)
        if number > GREATEST:
            greatest = digits_of(GREATEST, self.alphabet)
            raise Fault(
                "id_out_of_range",
                next(
                    at
                    for at, (mine, most) in enumerate(zip(digits, greatest, strict=True))
                    if self.value(mine) != self.value(most)
                ),
            )
        if self.check and self.check_value(bytes_of_text[-1]) != number % 37:
            raise Fault("text_invalid", len(digits))
        return number
