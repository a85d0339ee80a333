"""The closing sentence: composed and read back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from talekeeper.memory.models import Language
from talekeeper.rules.brief import compose_brief, parse_brief
from talekeeper.rules.subjects import ClosingSubject
from tests.rule_subjects import BOOKS

_KEYS = [
    f"{t} {op}"
    for t in ("event", "character_sheet", "thread", "link", "faction")
    for op in ("create", "edit", "delete")
]
_COUNTS = st.dictionaries(st.sampled_from([*_KEYS, "groups"]), st.integers(0, 40))


@given(_COUNTS, st.sampled_from(["zh", "en"]))
def test_what_is_composed_reads_back_and_passes(counts: dict[str, int], language: Language) -> None:
    text = compose_brief(counts, language)
    assert parse_brief(text, language) == {key: n for key, n in counts.items() if n}
    assert BOOKS[language].check("closing", ClosingSubject(text, counts)) == []


def test_the_forms() -> None:
    counts = {"event create": 1, "character_sheet edit": 1, "groups": 2}
    assert compose_brief(counts, "zh") == "写 1 event + 1 character_sheet edit；压缩 2 组"
    assert compose_brief(counts, "en") == "Wrote 1 event + 1 character_sheet edit; compacted 2 groups"
    assert compose_brief({"groups": 1}, "en") == "Compacted 1 group"
    assert compose_brief({}, "zh") == "没有写入"
