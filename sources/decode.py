"""From bytes to text, or a clear refusal: mojibake that enters a memory stays in it.

The order is strict: a byte order mark, UTF-8, UTF-16 by its zero bytes, then GB18030 against Big5 by how common the
characters are that each would give, then what charset-normalizer finds. A guess that doesn't hold is an error that says
what was tried.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from talekeeper.memory.errors import InputError

MAX_BYTES = 512 * 1024 * 1024
_SAMPLE = 1 << 18

_MAGIC = (
    (b"\x89PNG", "a PNG image", "Character cards can't be read yet; give the chat (.jsonl) or the text."),
    (b"\xff\xd8\xff", "a JPEG image", "Give the chat or the text itself."),
    (b"GIF8", "a GIF image", "Give the chat or the text itself."),
    (b"%PDF", "a PDF document", "Save its text as .txt first."),
    (b"PK\x03\x04", "a ZIP archive (also .epub, .docx, .charx)", "Unpack it, or save its text as .txt first."),
    (b"\x1f\x8b", "a gzip archive", "Unpack it first."),
    (b"SQLite format 3", "an SQLite database", "A story library is opened with --library."),
    (b"\xd0\xcf\x11\xe0", "an old Office document", "Save its text as .txt first."),
    (b"\x7fELF", "a program", ""),
)
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig", "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32", "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16", "utf-16-be"),
)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text without byte order mark; ``replaced`` bytes couldn't be read and stand as U+FFFD."""

    text: str
    encoding: str
    replaced: int = 0


def decode(data: bytes, where: str) -> Decoded:
    """The text in ``data``; ``where`` names the file in errors.

    Raises:
        InputError: empty, binary, or in no encoding that holds.
    """
    if not data:
        raise InputError(f"{where} is empty.", hint="Nothing was read, and nothing already stored is touched.")
    for magic, kind, hint in _MAGIC:
        if data.startswith(magic):
            raise InputError(f"{where} is {kind}, not a text.", hint=hint)
    decoded = _by_mark(data, where) or _utf16_unmarked(data) or _utf8(data) or _legacy(data)
    if decoded is None:
        raise InputError(
            f"{where} can't be decoded: tried UTF-8, UTF-16, GB18030, Big5 and charset detection.",
            hint="Save it as UTF-8 and read it again.",
        )
    text = join_surrogates(decoded.text.replace("\ufeff", "") if "\ufeff" in decoded.text[:2] else decoded.text)
    if len(_CONTROL.findall(text[:_SAMPLE])) > len(text[:_SAMPLE]) // 100:
        raise InputError(f"{where} is a binary file, not a text.", hint="Give a chat, a transcript or a novel.")
    if not text.strip("\x00 \t\r\n\f\v\u3000\u200b"):
        raise InputError(f"{where} holds nothing but blanks.", hint="Nothing already stored is touched.")
    return Decoded(text, decoded.encoding, decoded.replaced)


def join_surrogates(text: str) -> str:
    """``text`` with surrogate pairs joined to one character, and lone surrogates as U+FFFD."""
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _by_mark(data: bytes, where: str) -> Decoded | None:
    for mark, codec, name in _BOMS:
        if data.startswith(mark):
            if name == "utf-8":
                return _utf8(data[len(mark) :]) or _refuse(where, name)
            try:
                return Decoded(data.decode(codec, "surrogatepass"), name)
            except UnicodeDecodeError:
                return _tolerant(data[len(mark) :], codec if codec == "utf-32" else name, name) or _refuse(where, name)
    return None


def _refuse(where: str, name: str) -> Decoded:
    raise InputError(f"{where} is marked as {name} but isn't.", hint="Save it as UTF-8 and read it again.")


def _utf8(data: bytes) -> Decoded | None:
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        pass
    try:
        return Decoded(data.decode("utf-8", "surrogatepass"), "utf-8")
    except UnicodeDecodeError:
        return _tolerant(data, "utf-8", "utf-8")


def _tolerant(data: bytes, codec: str, name: str) -> Decoded | None:
    """A text with a few broken bytes (a cut-off tail, a bad sector), if there's no doubt about the encoding."""
    text = data.decode(codec, "replace")
    broken = text.count("\ufffd")
    wide = sum(1 for char in text if char > "\x7f") - broken
    at_end = broken == 1 and text.endswith("\ufffd")
    if wide >= 50 * broken or (at_end and (wide > 0 or codec != "utf-8" or len(text) > 100)):
        return Decoded(text, name, broken)
    return None


def _utf16_unmarked(data: bytes) -> Decoded | None:
    """UTF-16 without its mark: told by its zero bytes (spaces, line ends), and by being text in one byte order only."""
    sample = data[: _SAMPLE & ~1]
    zeros = sample.count(0)
    if not zeros or len(data) % 2 or (zeros * 10 < len(sample) and _is_utf8(sample)):
        return None
    shares = {codec: _plain_share(sample.decode(codec, "replace")) for codec in ("utf-16-le", "utf-16-be")}
    codec = max(shares, key=lambda codec: shares[codec])
    try:
        return Decoded(data.decode(codec), codec) if shares[codec] >= 0.9 else None
    except UnicodeDecodeError:
        return None


def _is_utf8(sample: bytes) -> bool:
    """Whether the bytes are UTF-8, but for a character cut off at their end."""
    return "\ufffd" not in sample.decode("utf-8", "replace")[:-1]


def _plain_share(text: str) -> float:
    """The share of characters that a text in Chinese or in Latin letters is made of."""
    plain = sum(1 for c in text if " " <= c < "\u0250" or c in "\r\n\t" or "\u2010" <= c < "\u2030"
                or "\u3000" <= c < "\u9fff" or "\uff00" <= c < "\uffef")  # fmt: skip
    return plain / max(1, len(text))


def _legacy(data: bytes) -> Decoded | None:
    if b"\x00" in data:
        return None
    shares = ((_gb_share(data), "gb18030"), (_big5_share(data), "big5"))
    for _, codec in sorted((entry for entry in shares if entry[0] >= 0.85), reverse=True):
        python_codec = "big5hkscs" if codec == "big5" else codec
        try:
            return Decoded(data.decode(python_codec), codec)
        except UnicodeDecodeError:
            if (decoded := _tolerant(data, python_codec, codec)) is not None:
                return decoded
    return _detected(data)


_PAIR_GB = re.compile(rb"[\x81-\xfe][\x40-\xfe]")
_PAIR_BIG5 = re.compile(rb"[\x81-\xfe][\x40-\x7e\xa1-\xfe]")
_COMMON_GB = re.compile(rb"(?:[\xb0-\xd7]|[\xa1-\xa3])[\xa1-\xfe]")
_COMMON_BIG5 = re.compile(rb"[\xa1-\xc6][\x40-\xfe]")


def _gb_share(data: bytes) -> float:
    pairs = _PAIR_GB.findall(data[:_SAMPLE])
    return sum(1 for p in pairs if _COMMON_GB.match(p)) / len(pairs) if len(pairs) > 1 else 0.0


def _big5_share(data: bytes) -> float:
    pairs = _PAIR_BIG5.findall(data[:_SAMPLE])
    return sum(1 for p in pairs if _COMMON_BIG5.match(p)) / len(pairs) if len(pairs) > 1 else 0.0


def _detected(data: bytes) -> Decoded | None:
    """What charset-normalizer makes of it: the way for scripts other than Chinese."""
    from charset_normalizer import from_bytes

    best = from_bytes(data[:_SAMPLE]).best()
    if best is None or best.encoding in ("utf_8", "ascii") or best.chaos > 0.1 or best.coherence < 0.1:
        return None
    try:
        return Decoded(data.decode(best.encoding), best.encoding.replace("_", "-"))
    except UnicodeDecodeError:
        return None
