"""Token counts as OpenAI's current models count them, with no download: the ranks come from a package."""

from __future__ import annotations

from functools import cache
from typing import Any

from talekeeper.memory.text import clean

_PIECE = 40_000
"""Characters; none takes more than four tokens."""


@cache
def _encoding() -> Any:
    import bpe_openai  # half a second: only when something is really counted

    return bpe_openai.get_encoding("o200k_base")


def count_tokens(text: str) -> int:
    """Tokens of ``text`` in the o200k_base encoding; special tokens count as ordinary text.

    A very long text is counted piece by piece, for the encoder takes 200,000 tokens at once; each cut may add one.
    """
    plain = clean(text)
    pieces = (plain[at : at + _PIECE] for at in range(0, len(plain), _PIECE))
    return sum(len(_encoding().encode_ordinary(piece)) for piece in pieces)
