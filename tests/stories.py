"""Small stories for tests, Chinese and English: a library in a temporary folder with a few turns in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from talekeeper.memory.library import Library
from talekeeper.memory.models import Language, Message, UnitDraft
from talekeeper.memory.story import Story

ZH_TURNS: Sequence[tuple[str, str]] = (
    ("我推开听雪楼的门，把斗篷挂好。", "2157年1月15日清晨，沈舟在听雪楼点起炉火。他取出一封封着火漆的信，交给林晚。"),
    ("我答应替他送信。", "林晚答应沈舟，把信送到黑曜石堡。沈舟给她备了一匹马。"),
    ("我骑马沿着河堤走。", "当天傍晚，林晚抵达渡口，船夫不肯夜渡。她在渡口的棚子里过夜。"),
    ("天亮了，我上船。", "次日清晨，船夫撑船送林晚过河。对岸的驿站已经开门。"),
    ("我走进黑曜石堡。", "林晚在黑曜石堡见到守将韩青。她把信交给韩青，信送到了。"),
    ("我在堡里歇息。", "韩青安排林晚住进东厢。夜里起了风，城头的火把换过两回。"),
    ("我去城头看看。", "林晚登上城头，遇见巡夜的韩青。两人查看了北面的缺口。"),
    ("我帮忙搬石头。", "林晚与韩青一起把石头搬到缺口。天亮前缺口堵上了。"),
    ("我告辞。", "韩青送林晚到城门。他托付林晚，把回信带给沈舟。"),
)
EN_TURNS: Sequence[tuple[str, str]] = (
    (
        "I push the door open and hang up my cloak.",
        "On 15 January 2157, in the morning, Daniel lit the stove at the Raven Inn. He handed Mara a sealed letter.",
    ),
    (
        "I promise to carry it.",
        "Mara promised Daniel to deliver the letter to Blackstone Keep. Daniel saddled a horse for her.",
    ),
    (
        "I ride along the dyke.",
        "That evening Mara reached the ferry. The ferryman refused to cross at night, and she slept in the shed.",
    ),
    (
        "At dawn I step aboard.",
        "The next morning the ferryman took Mara across the river. The post house on the far side was open.",
    ),
    ("I enter the keep.", "At Blackstone Keep Mara met Captain Holt. She delivered the letter to Holt."),
    ("I rest.", "Holt gave Mara a room in the east wing. The wind rose in the night."),
    ("I climb the wall.", "Mara climbed the wall and met Holt on his round. They looked at the gap in the north wall."),
    ("I help with the stones.", "Mara and Holt carried stones to the gap. Before dawn the gap was closed."),
    ("I take my leave.", "Holt walked Mara to the gate. He entrusted her with an answer for Daniel."),
)
CAST: dict[Language, tuple[str, str]] = {"zh": ("林晚", "沈舟"), "en": ("Mara", "Daniel")}


def drafts(language: Language, number: int | None = None) -> list[UnitDraft]:
    """The first ``number`` turns (default all)."""
    user, character = CAST[language]
    turns = (ZH_TURNS if language == "zh" else EN_TURNS)[:number]
    return [
        UnitDraft("turn", (Message("user", user, a, a), Message("character", character, b, b)), source="test")
        for a, b in turns
    ]


@contextmanager
def story(folder: Path, language: Language = "zh", turns: int | None = None) -> Iterator[Story]:
    """A story with ``turns`` uncurated turns in a new library under ``folder``."""
    with Library.open(folder / "library") as library:
        made = library.create_story("test story", language=language)
        made.add_units(drafts(language, turns))
        yield made
