"""The reference model of Sqids and Hashids, from their descriptions: lists of characters, unbounded numbers.

What is refused has a position: that of the first character by which a text differs from the one that its ids have.
"""

import json
import math
import pathlib

from model_codec import GREATEST, Fault, digits_of

PRINTABLE = [chr(code) for code in range(32, 127)]
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
SQIDS_ALPHABET, HASHIDS_ALPHABET = LETTERS + "0123456789", LETTERS + "1234567890"
MOST_IDS = 1024
FACTS = json.loads(pathlib.Path(__file__).with_name("published-texts.json").read_text("ascii"))
DEFAULT_BLOCKLIST = FACTS["sqids_default_blocklist"].split()


def check_options(alphabet, fewest, min_length, most):
    if len(alphabet) < fewest or len(set(alphabet)) < len(alphabet) or not set(alphabet) <= set(PRINTABLE):
        raise Fault("option_invalid")
    if not 0 <= min_length <= most:
        raise Fault("option_invalid")


def first_difference(text, canonical):
    for position, character in enumerate(text):
        if canonical[position : position + 1] != character:
            return position
    return len(text)


class Reading:
    """A text from left to right, once its characters are known to be of the alphabet."""

    def __init__(self, text, alphabet):
        for position, character in enumerate(text):
            if character not in alphabet:
                raise Fault("text_invalid", position)
        self.text, self.ids = text, []

    def number(self, start, end, digits):
        """The id whose digits are from `start` until before `end`."""
        if len(self.ids) == MOST_IDS:
            raise Fault("text_invalid", start)
        number = 0
        for position in range(start, end):
            number = number * len(digits) + digits.index(self.text[position])
            if number > GREATEST:
                raise Fault("id_out_of_range", position)
        self.ids.append(number)

    def must_be(self, canonical):
        if self.text != canonical:
            raise Fault("text_invalid", first_difference(self.text, canonical))


class ModelSqids:
    def __init__(self, alphabet=SQIDS_ALPHABET, min_length=0, blocklist=None):
        check_options(alphabet, 3, min_length, 255)
        words = [word.lower() for word in (DEFAULT_BLOCKLIST if blocklist is None else blocklist) if word.isascii()]
        self.words = [word for word in words if len(word) >= 3 and set(word) <= set(alphabet.lower())]
        self.alphabet, self.min_length = self.shuffled(list(alphabet)), min_length

    @staticmethod
    def shuffled(characters):
        characters, size = list(characters), len(characters)
        for left, right in zip(range(size - 1), range(size - 1, 0, -1), strict=True):
            other = (left * right + ord(characters[left]) + ord(characters[right])) % size
            characters[left], characters[other] = characters[other], characters[left]
        return characters

    def turned(self, offset):
        """The letter in front, and the characters for what follows: a separator, then digits."""
        offset %= len(self.alphabet)
        turned = self.alphabet[offset:] + self.alphabet[:offset]
        return turned[0], turned[::-1]

    def offset(self, ids):
        size = len(self.alphabet)
        return (len(ids) + sum(ord(self.alphabet[number % size]) + index for index, number in enumerate(ids))) % size

    def attempt(self, ids, offset):
        text, characters = self.turned(offset)
        for index, number in enumerate(ids):
            if index:
                text += characters[0]
                characters = self.shuffled(characters)
            text += digits_of(number, characters[1:])
        if len(text) < self.min_length:
            text += characters[0]
        while len(text) < self.min_length:
            characters = self.shuffled(characters)
            text += "".join(characters)[: self.min_length - len(text)]
        return text

    def is_blocked(self, text):
        text = text.lower()
        for word in self.words:
            if len(word) == 3 or len(text) <= 3:
                hit = word == text
            elif any(character in "0123456789" for character in word):
                hit = text.startswith(word) or text.endswith(word)
            else:
                hit = word in text
            if hit:
                return True
        return False

    def encode(self, ids):
        if not ids:
            return ""
        if len(ids) > MOST_IDS:
            raise Fault("option_invalid")
        for retry in range(len(self.alphabet)):
            text = self.attempt(ids, self.offset(ids) + retry)
            if not self.is_blocked(text):
                return text
        raise Fault("option_invalid")

    def decode(self, text):
        reading = Reading(text, self.alphabet)
        if not text:
            return []
        _, characters = self.turned(self.alphabet.index(text[0]))
        start = 1
        while start < len(text) and text[start] != characters[0]:
            end = (text + characters[0]).index(characters[0], start)
            reading.number(start, end, characters[1:])
            start = end + 1
            characters = self.shuffled(characters)
        if not reading.ids:
            raise Fault("text_invalid", 1)
        reading.must_be(self.attempt(reading.ids, self.alphabet.index(text[0])))
        offset = self.offset(reading.ids)
        while (attempt := self.attempt(reading.ids, offset)) != text:
            if not self.is_blocked(attempt):
                raise Fault("text_invalid", 0)
            offset += 1
        return reading.ids


class ModelHashids:
    def __init__(self, salt="", min_length=0, alphabet=HASHIDS_ALPHABET):
        check_options(alphabet, 16, min_length, 1024)
        self.salt, self.min_length, self.alphabet = list(salt), min_length, alphabet
        separators = self.shuffled([c for c in "cfhistuCFHISTU" if c in alphabet], self.salt)
        digits = [c for c in alphabet if c not in "cfhistuCFHISTU"]
        missing = max(0, math.ceil(len(digits) / 3.5) - len(separators))
        separators, digits = separators + digits[:missing], self.shuffled(digits[missing:], self.salt)
        guards = math.ceil(len(digits) / 12)
        if len(digits) < 3:
            self.guards, self.separators, self.digits = separators[:guards], separators[guards:], digits
        else:
            self.guards, self.separators, self.digits = digits[:guards], separators, digits[guards:]

    @staticmethod
    def shuffled(characters, salt):
        characters, total = list(characters), 0
        for step, last in enumerate(range(len(characters) - 1, 0, -1)):
            if salt:
                at = step % len(salt)
                total += ord(salt[at])
                other = (ord(salt[at]) + at + total) % last
                characters[last], characters[other] = characters[other], characters[last]
        return characters

    def next_digits(self, digits, lottery):
        return self.shuffled(digits, [lottery, *self.salt, *digits][: len(digits)])

    def encode(self, ids):
        if not ids:
            return ""
        if len(ids) > MOST_IDS:
            raise Fault("option_invalid")
        total = sum(number % (index + 100) for index, number in enumerate(ids))
        digits = self.digits
        text = lottery = digits[total % len(digits)]
        for index, number in enumerate(ids):
            digits = self.next_digits(digits, lottery)
            written = digits_of(number, digits)
            separator = self.separators[number % (ord(written[0]) + index) % len(self.separators)]
            text += written + (separator if index + 1 < len(ids) else "")
        if len(text) < self.min_length:
            text = self.guards[(total + ord(text[0])) % len(self.guards)] + text
        if len(text) < self.min_length:
            text += self.guards[(total + ord(text[2])) % len(self.guards)]
        while len(text) < self.min_length:
            digits = self.shuffled(digits, digits)
            half = len(digits) // 2
            text = "".join(digits[half:]) + text + "".join(digits[:half])
            too_many = max(0, len(text) - self.min_length)
            text = text[too_many // 2 :][: self.min_length]
        return text

    def decode(self, text):
        reading = Reading(text, self.alphabet)
        guards = [position for position, character in enumerate(text) if character in self.guards]
        if len(guards) > 2:
            raise Fault("text_invalid", guards[2])
        start, end = guards[0] + 1 if guards else 0, guards[1] if len(guards) == 2 else len(text)
        ends = [position for position in range(start + 1, end) if text[position] in self.separators]
        digits, first = self.digits, start + 1
        for last in [*ends, end] if start < end else []:
            digits = self.next_digits(digits, text[start])
            reading.number(first, last, digits)
            first = last + 1
        reading.must_be(self.encode(reading.ids))
        return reading.ids
