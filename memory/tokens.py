"""Token counts as OpenAI's current models count them, with no download: the ranks come from a package."""

from __future__ import annotations

from functools import cache
from typing import Any

from talekeeper.memory.text import clean


@cache
def _encoding() -> Any:
    import bpe_openai  # half a second: only when something is really counted

    return bpe_openai.get_encoding("o200k_base")


def count_tokens(text: str) -> int:
    """Tokens of ``text`` in the o200k_base encoding; special tokens count as ordinary text."""
    return len(_encoding().encode_ordinary(clean(text))) if text else 0
