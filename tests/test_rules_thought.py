"""The final text of a thought, byte for byte (T8), and its labels."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.memory.models import Language
from talekeeper.rules.lexicon import lexicon
from talekeeper.rules.subjects import ThoughtSubject
from talekeeper.rules.thought import compose_thought, final_text, parse_thought, thought_blocks
from tests.rule_subjects import faults

STEPS = {key: f"内容 {key}" for key in ("1a", "1b", "2", "3", "3f", "4", "5")}


@pytest.mark.parametrize(
    ("thought", "final"),
    [
        ("<thought>\nStep 6\n最终 prose:\n甲。\n乙。\n</thought>", "甲。\n乙。"),
        ("<thought>Step 6 最终 prose：\n甲。</thought>", "甲。"),
        ("**最终 prose:**\n甲。\n\n最终自检: 无误\n</thought>", "甲。\n"),
        ("## Final prose:\r\nA.\r\n</thought>", "A."),
        ("Final prose: A.\n</thought>", " A."),
        ("final prose:\n\n  A.  \n\n</thought>", "\n  A.  \n"),
        ("最终 prose:\n甲。", "甲。"),
        ("最终 prose:\n草稿\n最终 prose:\n甲。\n</thought>", "甲。"),
        ("最终 prose:", ""),
        ("正文提到最终 prose: 甲", None),
        ("", None),
    ],
)
def test_final_text_is_taken_as_given(thought: str, final: str | None) -> None:
    assert final_text(thought) == final


def _plain(text: str) -> bool:
    """No label inside; a last CR would be one line break with the LF behind it."""
    return not any(word in text.lower() for word in ("prose", "check", "</thought>")) and not text.endswith("\r")


@given(st.text(max_size=200).filter(_plain))
def test_what_is_composed_reads_back_byte_for_byte(summary: str) -> None:
    for language in ("zh", "en"):
        for check in ("", "ok"):
            thought = compose_thought(STEPS, summary, language, self_check=check)
            assert final_text(thought) == summary
            assert faults(language, "thought", ThoughtSubject(thought, summary), "T8") == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_labels_are_found_in_order_however_dressed(language: Language) -> None:
    labels = [names[0] for names in lexicon(language).steps]
    thought = compose_thought(STEPS, "甲。", language)
    assert [step.label for step in parse_thought(thought, language).steps] == labels
    dressed = thought.replace("Step", "**Step").replace("\n内容", "**：\n内容")
    parsed = parse_thought(dressed, language)
    assert [step.label for step in parsed.steps] == labels
    assert all(dressed[s.span[0] : s.span[1]] == s.content for s in parsed.steps)
    assert parsed.steps[0].content.strip() == "内容 1a"


def test_blocks_are_cut_out_of_a_message() -> None:
    text = "点名\n<thought>一</thought>\n写\n<thought>二"
    assert thought_blocks(text) == ["<thought>一</thought>", "<thought>二"]


@pytest.mark.parametrize(
    ("sent", "offset", "names"),
    [
        ("甲 乙。", 3, ("U+00A0 NO-BREAK SPACE", "U+0020 SPACE")),
        ("甲\xa0乙。\n", 11, ("文末", "U+000A LINE FEED")),
        ("甲\xa0乙", 8, ("U+3002 IDEOGRAPHIC FULL STOP", "文末")),
        ("甲\xa0丁。", 6, ("U+4E59", "U+4E01")),
    ],
)
def test_the_first_differing_byte_is_shown_with_both_sides(sent: str, offset: int, names: tuple[str, str]) -> None:
    thought = "<thought>最终 prose:\n甲\xa0乙。\n</thought>"
    (violation,) = faults("zh", "thought", ThoughtSubject(thought, sent), "T8")
    assert f"第 {offset} 字节" in violation.message
    assert all(name in violation.message for name in names)


def test_line_breaks_and_composed_characters_count_as_differences() -> None:
    thought = "<thought>Final prose:\nCafé.\nNo.\n</thought>"
    assert faults("en", "thought", ThoughtSubject(thought, "Cafe\u0301.\nNo."), "T8")
    assert faults("en", "thought", ThoughtSubject(thought, "Café.\r\nNo."), "T8")
    assert faults("en", "thought", ThoughtSubject("no label", "x"), "T8")
