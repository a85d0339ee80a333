"""What of a message is curated."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.sources.clean import clean_chapter, clean_message, status_lines


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("<think>plan</think>He left.", "He left."),
        ("<thinking>没写完\n<content>道长推门而入。</content>", "道长推门而入。"),
        ("plan of the reply</think>\nHe left.", "He left."),
        ("<thought>never closed, nothing after", ""),
        ("<thinking>a<thinking>b</thinking>c</thinking>门开了。", "门开了。"),
        ("<think>quotes <content>inside</content> it</think>He left.", "He left."),
        ("门开了。<details><summary>🧠 想法</summary><br>- <b>王五</b> | 盘算</details>", "门开了。"),
        ("门开了。<!-- 编号 7 -->他走了。", "门开了。他走了。"),
        ("门开了。\n<!-- 没关\n\n他走了。", "门开了。\n\n他走了。"),
        ('```json\n{"hp": 3}\n```\n门开了。', "门开了。"),
        ("门开了。\n```css\n.a { color: red }", "门开了。"),
        ('门开了。<era_data>{"a"="b"}</era_data><VariableThink>\n1. x\n</VariableThink>', "门开了。"),
        ("门开了。\n<UpdateVariable>\n_.set('a', 1)\n</UpdateVariable>\n他走了。", "门开了。\n\n他走了。"),
        ("<StatusBlock>\n体力: 3\n\n门开了。", "门开了。"),
        ("[status]\nHP 3\n[/status]\nHe left.", "He left."),
        ("<style>.a{color:red}</style><div class='x'>门开了。</div><p>他走了。</p>", "门开了。\n\n他走了。"),
        ("<div style='display: none'>secret</div>He left.", "He left."),
        ("<opening>风雪夜，酒铺。</opening>", "风雪夜，酒铺。"),
        ("I <3 you, and a < b but b > c.", "I <3 you, and a < b but b > c."),
        ("<王五>走进来。", "<王五>走进来。"),
        ("<状态>饿</状态>王五走进来。", "王五走进来。"),
        ("他走了。（OOC：下次继续）", "他走了。"),
        ("(OOC: brb) He left. [OOC] back later", "He left."),
        ("He left. ((sorry, (phone) call))", "He left."),
        ("ooc: hello\nHe left.", "He left."),
        ("He has a woocommerce shop (woocom).", "He has a woocommerce shop (woocom)."),
        (
            "*He smiles.* **Loud** _soft_ ~~gone~~ f**k snake_case_name 2 * 3",
            "He smiles. Loud soft gone f**k snake_case_name 2 * 3",
        ),
        ("*他笑了*说：好。", "他笑了说：好。"),
        ("# 夜\n> 雪落了。\n---\n[灯](https://a.b/c)亮着。![x](y.png)", "夜\n雪落了。\n\n灯亮着。"),
        ("A &amp; B&nbsp;left.", "A & B left."),
        ("走吧。\n\n选项：\n1. 进门\n2. 离开\n3. 再想想", "走吧。"),
        ("He waits.\nWhat do you do?\nA) Enter\nB) Leave", "He waits."),
        ("他说：\n1. 水\n2. 米", "他说：\n1. 水\n2. 米"),
        ("What do you do?\nHe waited.\nA man came in.\nBread.", "What do you do?\nHe waited.\nA man came in.\nBread."),
        ('"As an AI, I feel no cold," it said.', '"As an AI, I feel no cold," it said.'),
        ("[System: level up!]\nHe grinned.", "[System: level up!]\nHe grinned."),
        ("Disclaimer: this is fiction.\nHe left.", "He left."),
        ("以下内容纯属虚构，请勿模仿。\n门开了。", "门开了。"),
        (".card {\n  color: red;\n}\n门开了。", "门开了。"),
        ('{"hp": 3, "mp": 4}\n门开了。', "门开了。"),
        ("门开了。{{setvar::a::1}}{{// note}}", "门开了。"),
        ("{{USER}}看着{{char}}，<BOT>不语。", "林看着青禾，青禾不语。"),
        ("他说：“雪大。”\n王五：那就不走了。", "他说：“雪大。”\n王五：那就不走了。"),
        ("……", "……"),
    ],
)
def test_story_is_kept_and_machinery_goes(raw: str, text: str) -> None:
    assert clean_message(raw, user="林", character="青禾").text == text


def test_status_bars_are_taken_out_and_offered() -> None:
    bar = "[ 🕰️ Time 11:47 PM | 📍 Abandoned Hall | 🌫️ Damp ]"
    cleaned = clean_message(
        f"{bar}\n\nHe left.\n\n❤️ 好感度: 30\n👗 衣着: 青衫\n\nHP: 3/9 | MP: 2/2\n【时间】巳时 【地点】酒铺"
    )
    assert cleaned.text == "He left."
    assert cleaned.status[0] == bar
    assert len(cleaned.status) == 5
    assert status_lines(f"{bar}\nHe left.") == (bar,)


def test_a_writers_scene_heading_is_story() -> None:
    for scene in (
        "时间：建安三年春\n他走了。",
        "时间：建安三年春\n地点：酒铺\n\n他走了。",
        "Time: dusk\nPlace: the mill\n\nHe left.",
    ):
        assert clean_message(scene).text == scene


def test_tables_go_and_bars_in_prose_stay() -> None:
    assert clean_message("| a | b |\n|---|---|\n| 1 | 2 |\nHe left.").text == "He left."
    assert clean_message("Either|or, he said | and left.").text == "Either|or, he said | and left."


def test_chapters_keep_their_words() -> None:
    assert clean_chapter("　　他*笑*了。\r\n\r\n\r\n\r\n　　走了。\n", markdown=False) == "他*笑*了。\n\n走了。"
    assert clean_chapter("## 场景一\n他*笑*了。<!-- x -->\n***\n走了。", markdown=True) == "场景一\n他笑了。\n\n走了。"


@given(st.text(alphabet="<>/think details![](){}*_`~|:： \n\"'-甲OC&;🕰", max_size=300))
def test_any_text_is_cleaned_without_markers_left_or_errors(raw: str) -> None:
    cleaned = clean_message(raw)
    assert "\r" not in cleaned.text
    assert cleaned.text == cleaned.text.strip()


@given(
    st.lists(
        st.sampled_from(["雪落了。", "他走进门来，放下了斗笠。", "“坐。”", "She closed the door.", "“Who's there?”"]),
        min_size=1,
        max_size=20,
    )
)
def test_plain_prose_is_never_changed(lines: list[str]) -> None:
    assert clean_message("\n".join(lines)).text == "\n".join(lines)


@pytest.mark.parametrize(
    "piece",
    [
        "<",
        "<a ",
        '<a "',
        "((",
        "(ooc\n",
        "[OOC ",
        "<think>",
        "<details>",
        "<!--",
        "*a",
        "_a",
        "{{",
        "![[",
        ".a{\n",
        "- ",
        "a|",
        "选项\n",
        "[status]",
    ],
)
def test_cleaning_is_linear(piece: str) -> None:
    """Twice the text in about twice the time: a nested search would take four times, or for ever."""
    text = piece * (200_000 // len(piece))
    start = time.perf_counter()
    clean_message(text)
    assert time.perf_counter() - start < 2.0
