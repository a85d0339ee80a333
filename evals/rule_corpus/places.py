"""Location fields that tell of one visit (N11), and lasting ones that use the same words."""

from __future__ import annotations

from collections.abc import Iterator

from talekeeper.evals.rule_corpus.nodes import PLACE, node
from talekeeper.evals.rule_corpus.sample import Corpus, Sample, broken, pick, valid, worlds
from talekeeper.memory.models import Language


def _lasting(language: Language) -> Iterator[Sample]:
    """N11."""
    bad_states = pick(
        language,
        (
            "本次交易的地点",
            "刚刚打扫干净",
            "现已人去楼空",
            "见证了{a}与{b}的誓言",
            "承载着{a}的回忆",
            "两人争执的舞台",
            "床上尚有余温",
            "衣物散落一地",
        ),
        (
            "has just been cleaned",
            "this time it was empty",
            "as of now deserted",
            "bore witness to the oath of {a}",
            "the stage for the quarrel of {b}",
            "bed still warm",
            "scattered clothes everywhere",
            "wet footprints by the door",
        ),
    )
    good_states = pick(
        language,
        (
            "{a}的据点",
            "已被{b}占领",
            "常年封闭的旧矿道",
            "证人席设在东侧",
            "临时政府驻地",
            "老街上的书店",
            "舞台剧院改建的仓库",
        ),
        (
            "base of {a}",
            "held by {b} since the siege",
            "a mine closed for years",
            "court with a witness stand to the east",
            "seat of the interim government",
            "bookshop in an old street",
            "warehouse, once a theatre with a stage",
        ),
    )
    for world in worlds(language):
        a, b, _ = world.cast
        title = world.scenes[0].place
        for text in bad_states:
            yield broken(node(PLACE, title, state=text.format(a=a, b=b)), text)
        long = (world.scenes[0].text(language) + world.scenes[1].text(language)) * 2
        yield broken(node(PLACE, title, state=long), "too long")
        acting = pick(language, (f"{a}临时担任", f"{b}暂代"), (f"{a}, acting", f"{b} for now"))
        for text in acting:
            yield broken(node(PLACE, title, controller=text), text)
        fresh = pick(language, ("刚刚留下的酒杯",), ("a glass left just now",))[0]
        yield broken(node(PLACE, title, resources=[fresh]), fresh)
        for text in good_states:
            yield valid(node(PLACE, title, state=text.format(a=a, b=b)), text)
        double = pick(language, (f"{a} (名义) / {b} (实际)",), (f"{a} (in name) / {b} (in fact)",))[0]
        yield valid(node(PLACE, title, controller=double), double)
        yield valid(
            node(PLACE, title, resources=pick(language, ("石桌", "暗门"), ("stone table", "hidden door"))), "standing"
        )
        yield valid(node(PLACE, title, danger=pick(language, ("夜间有狼群",), ("wolves at night",))[0]), "danger")
        yield valid(node(PLACE, title), "no state")


CORPUS: Corpus = {"N11": _lasting}
