"""Chinese clauses cut to their core: what goes, what must stay, and what is given up."""

from __future__ import annotations

import pytest

from talekeeper.agents.builtin.condense_zh import Piece, condensed, leaner, text_of
from talekeeper.agents.builtin.words import words_for

WORDS = words_for("zh")


def pieces(text: str) -> list[Piece]:
    """``word/tag`` pairs, as the tagger would give them."""
    return [Piece(*part.rsplit("/", 1)) for part in text.split()]


def core(text: str) -> str:
    found = condensed(pieces(text), WORDS)
    return text_of(found) if found else ""


@pytest.mark.parametrize(
    ("clause", "kept"),
    [
        ("小心/a 地/u 推开/v 门/n", "推开门"),
        ("终于/d 答应/v 找回/v 铜镜/n", "答应找回铜镜"),
        ("把/p 一枚/m 铜牌/n 交给/v 顾远/PER", "交铜牌给顾远"),
        ("把/p 孟川/PER 扶/v 了/u 起来/v", "扶起孟川"),
        ("偷走/v 了/u 顾家/n 传/v 下来/v 的/u 铜镜/n", "偷走铜镜"),
        ("对着/p 空/a 剑匣/n 立誓/v", "立誓"),
        ("成/v 了/u 顾远/PER 的/u 盟友/n", "成为顾远的盟友"),
        ("认出/v 那/r 截/q 麻绳/n", "认出麻绳"),
        ("推开/v 沉重/a 的/u 大门/n", "推开大门"),
    ],
)
def test_manner_measures_and_descriptions_go(clause: str, kept: str) -> None:
    assert core(clause) == kept


@pytest.mark.parametrize(
    ("clause", "kept"),
    [
        ("没有/d 答应/v 找回/v 铜镜/n", "没有答应找回铜镜"),
        ("输/v 了/u 三百两/m", "输了三百两"),
        ("打退/v 了/u 追/v 来/v 的/u 人/n", "打退了追来的人"),
        ("打开/v 剑匣/n 的/u 暗格/n", "打开剑匣的暗格"),
        ("再也/d 不/d 相信/v 顾远/PER", "再也不相信顾远"),
        ("雇/v 过/u 孟川/PER", "雇过孟川"),
    ],
)
def test_what_would_change_the_meaning_stays(clause: str, kept: str) -> None:
    assert core(clause) == kept


@pytest.mark.parametrize(
    "clause",
    [
        "慢慢/d 走/v 着/u",  # hangs on what follows
        "把/p 他/r 带走/v",  # nobody knows whom
        "几乎/d 被/p 遗忘/v 的/u 建筑/n",  # a thing, not an act
        "顾远/PER 的/u",
        "吃/v 饭/n 吗/xc",
    ],
)
def test_a_clause_that_cuts_would_garble_is_given_up(clause: str) -> None:
    assert core(clause) == ""


def test_ever_fewer_words_lose_place_means_owner_and_time() -> None:
    forms = leaner(pieces("在/p 渡口/n 用/p 铜牌/n 打开/v 顾远/PER 的/u 箱子/n"), WORDS)
    assert [text_of(form) for form in forms] == ["用铜牌打开顾远的箱子", "打开顾远的箱子", "打开箱子", "打开箱子"]
