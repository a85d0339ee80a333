"""Leaf events that break E1–E4, and ones that only look so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from talekeeper.evals.rule_corpus.sample import Corpus, Sample, World, broken, pick, valid, worlds
from talekeeper.memory.models import Language
from talekeeper.rules.subjects import EventSubject


def _subject(world: World, summary: str) -> EventSubject:
    return EventSubject(summary, world.source, thread_titles=frozenset({world.thread}))


def _headers(language: Language) -> Iterator[Sample]:
    """E1."""
    time, place = pick(language, ("时间", "地点"), ("Time", "Place"))
    bad_times = pick(
        language,
        ("未知时间", "x年x月x日", "待定", "某日清晨", "之后", "今天"),
        ("unknown", "TBD", "xx:xx", "later", "some time", "one day"),
    )
    bad_places = pick(
        language,
        ("某处", "一个房间", "未知地点", "这里", "某座城", "待定"),
        ("somewhere", "a room", "unknown place", "here", "some city", "TBD"),
    )
    good_times = pick(
        language,
        (
            "2024-05-01 08:00",
            "开元七年秋 申时",
            "第12日 深夜",
            "霜月第9日 黄昏",
            "大历372年 三月初三 午时",
            "公元2301年6月2日",
        ),
        (
            "2024-05-01 08:00",
            "Day 12, late night",
            "June 3rd 1871, noon",
            "Cycle 77, dawn",
            "3 May 1245",
            "Year 9, autumn",
        ),
    )
    good_places = pick(
        language,
        ("无名客栈・后院", "林晚的房间", "城南酒馆", "7号房间", "某人旧宅即沈府", "断龙崖下的山洞"),
        (
            "The Nameless Inn, yard",
            "Mara's room",
            "Room 7",
            "The Lost City of Ys",
            "Nowhere Bar",
            "A Street, Alphabet City",
        ),
    )
    for world in worlds(language):
        whole = world.event(0)
        first, second, _, *rest = whole.split("\n")
        yield broken(_subject(world, "\n".join([second, *rest])), "no time line")
        yield broken(_subject(world, "\n".join([first, "", *rest])), "no place line")
        yield broken(_subject(world, "\n".join([first, second, *rest])), "no empty line")
        yield broken(replace(_subject(world, whole), previous_time=_year_later(world)), "before the last event")
        for value in bad_times:
            yield broken(_subject(world, world.event(0, time=value)), f"{time} {value}")
        for value in bad_places:
            yield broken(_subject(world, world.event(0, place=value)), f"{place} {value}")
        yield valid(_subject(world, whole), "as it is")
        yield valid(_subject(world, whole.replace("\n", "\r\n")), "CRLF")
        yield valid(
            replace(_subject(world, world.event(2)), previous_time=world.scenes[0].time), "after the last event"
        )
        yield valid(replace(_subject(world, whole), previous_time=world.scenes[0].time), "at the last event's time")
        flashback = pick(language, ("她回忆起那一年。",), ("It was years ago.",))[0]
        told = replace(_subject(world, whole), previous_time=_year_later(world), batch_text=flashback)
        yield valid(told, "a flashback that the batch tells")
        for value in good_times:
            yield valid(_subject(world, world.event(0, time=value)), f"{time} {value}")
        for value in good_places:
            yield valid(_subject(world, world.event(0, place=value)), f"{place} {value}")


def _year_later(world: World) -> str:
    """A time after the world's first scene, in its own calendar."""
    return world.scenes[-1].time


def _prose(language: Language) -> Iterator[Sample]:
    """E2."""
    for world in worlds(language):
        first, second = world.scenes[0].prose[:2]
        joint = "" if language == "zh" else " "
        a, b, c = world.cast
        bad = {
            "numbered": f"1) {first}\n2) {second}",
            "circled": f"①{first}②{second}",
            "dashes": f"- {first}\n- {second}",
            "stars": f"* {first}\n* {second}",
            "dots": f"• {first}",
            "no full stop": (first + joint + second)[:-1],
            "no prose": "",
            "numbers inside": f"{first}{joint}1) {second}{joint}2) {first}",
            "a list after prose": f"{first}\n- {second}",
            "a chain": pick(
                language, (f"{a}递信；{b}收信；{c}旁观；{a}离开。",), (f"{a} left; {b} followed; {c} stayed; {a} won.",)
            )[0],
            "phrases in a row": pick(
                language,
                (f"{a}进门 {b}起身相迎 {a}落座饮茶 {b}退下。",),
                (f"{a} enters; {b} rises; {a} sits; {b} leaves.",),
            )[0],
        }
        for label, prose in bad.items():
            yield broken(_subject(world, world.event(0, prose=prose)), label)
        good = {
            "as it is": first + joint + second,
            "paragraphs": f"{first}\n\n{second}",
            "one sentence": first,
            "one semicolon": first[:-1] + pick(language, ("；",), ("; ",))[0] + second,
            "exclamation": first[:-1] + pick(language, ("！",), ("!",))[0],
            "a year": pick(language, (f"{a}在2157年与{b}重逢。",), (f"{a} met {b} again in 2157.",))[0],
            "a number in brackets": pick(language, (f"{a}领到三号(3)舱房。",), (f"{a} drew cabin three (3).",))[0],
            "a dash": pick(language, (f"{a}——{b}的旧友——留了下来。",), (f"{a} - the friend of {b} - stayed.",))[0],
            "a hyphen": pick(language, (f"{a}驾驶X-9离港。",), (f"{a} took the X-9 out of port.",))[0],
            "an ellipsis": first[:-1] + "…",
            "a list in a sentence": pick(
                language, (f"{a}、{b}、{c}三人同行。",), (f"{a}, {b} and {c} went together.",)
            )[0],
        }
        for label, prose in good.items():
            yield valid(_subject(world, world.event(0, prose=prose)), label)


def _quotes(language: Language) -> Iterator[Sample]:
    """E3."""
    pairs = ("“”", "‘’", "「」", "『』", '""', "''", "«»", "《》", "＂＂", "„“")
    for world in worlds(language):
        first, second = world.scenes[0].prose[:2]
        joint = "" if language == "zh" else " "
        a, b, c = world.cast
        for mark in pairs:
            name = f"{mark[0]}{a}{mark[1]}"
            prose = first.replace(a, name, 1) if a in first else name + joint + first
            yield broken(_subject(world, world.event(0, prose=prose + joint + second)), f"marks {mark}")
        work = pick(language, ("《北港旧事》",), ("《Harbour Tales》",))[0]
        with_work = pick(language, (f"{a}把{work}借给{b}。",), (f"{a} lent {work} to {b}.",))[0]
        titled = replace(_subject(world, world.event(0, prose=with_work)), work_titles=frozenset({work.strip("《》")}))
        yield broken(_subject(world, world.event(0, prose=with_work)), "a work that the schema doesn't list")
        yield valid(titled, "a work that the schema lists")
        good = {
            "as it is": first + joint + second,
            "apostrophes": pick(language, (f"{a}登上O'Neill号。",), (f"{a} didn't take {b}'s boat.",))[0],
            "plural possessive": pick(language, (f"{a}住进史家旧宅。",), (f"{a} kept the guards' ledger.",))[0],
            "feet": pick(language, (f"{a}跳下6'高的台子。",), (f"{a} jumped from 6' above {b}.",))[0],
            "brackets": pick(language, (f"{a}(时任店主)留下。",), (f"{a} (then the owner) stayed.",))[0],
            "elision": pick(language, (f"{a}读到'90年代的旧报。",), (f"{a} kept papers from the '90s.",))[0],
            "two elisions": pick(language, (f"{a}与{b}和{c}同行。",), (f"{a} wouldn't leave and {b} couldn't stay.",))[
                0
            ],
        }
        for label, prose in good.items():
            yield valid(_subject(world, world.event(0, prose=prose)), label)
        yield valid(_subject(world, world.full_event()), "quotation marks in rows alone")
        yield valid(_subject(world, world.full_event().replace("\n", "\r\n")), "rows, CRLF")
        yield valid(_subject(world, world.event(1)), "second scene")


def _sections(language: Language) -> Iterator[Sample]:
    """E4."""
    change, threads, excerpts = pick(
        language, ("不可逆", "未结", "原文摘录"), ("Irreversible", "Open threads", "Excerpts")
    )
    none = pick(language, ("无",), ("none",))[0]
    for world in worlds(language):
        bare = world.event(0, irreversible=())
        row = world.scenes[0].change
        thread_row = f'- → thread "{world.thread}"'
        excerpt_row = f'- {world.excerpt[0]}: "{world.excerpt[1]}"'
        strange = pick(language, ("备注", "影响", "总结"), ("Notes", "Effects", "Summary"))
        bad = {
            "header without rows": f"{bare}\n\n{change}:",
            "none": f"{bare}\n\n{change}:\n- {none}",
            "a dash for none": f"{bare}\n\n{threads}:\n- —",
            "slash": f"{bare}\n\n{excerpts}:\n- /",
            "twice": f"{bare}\n\n{change}:\n- {row}\n\n{change}:\n- {row}",
            "out of order": f"{bare}\n\n{excerpts}:\n{excerpt_row}\n\n{change}:\n- {row}",
            "threads before changes": f"{bare}\n\n{threads}:\n{thread_row}\n\n{change}:\n- {row}",
            "content on the header's line": f"{bare}\n\n{change}: {row}",
            "row without a dash": f"{bare}\n\n{change}:\n{row}",
            "prose after the rows": f"{bare}\n\n{change}:\n- {row}\n{world.scenes[0].prose[0]}",
            **{f"section {name}": f"{bare}\n\n{name}:\n- {row}" for name in strange},
        }
        for label, summary in bad.items():
            yield broken(_subject(world, summary), label)
        good = {
            "no section": bare,
            "one": world.event(0),
            "all three": world.full_event(),
            "two rows": world.event(0, irreversible=(row, world.scenes[1].change)),
            "threads alone": f"{bare}\n\n{threads}:\n{thread_row}",
            "excerpts alone": f"{bare}\n\n{excerpts}:\n{excerpt_row}",
            "no empty line before": f"{bare}\n{change}:\n- {row}",
            "full-width colon": f"{bare}\n\n{change}：\n- {row}",
            "CRLF": world.full_event().replace("\n", "\r\n"),
            "a row that begins with none": f"{bare}\n\n{change}:\n- "
            + pick(language, (f"无名剑归{world.cast[0]}所有",), (f"None of the ships is left to {world.cast[0]}",))[0],
            "a colon in prose": world.event(
                0, prose=pick(language, (f"{row}：{world.cast[0]}在场。",), (f"{row}: {world.cast[0]} was there.",))[0]
            ),
        }
        for label, summary in good.items():
            yield valid(_subject(world, summary), label)


CORPUS: Corpus = {"E1": _headers, "E2": _prose, "E3": _quotes, "E4": _sections}
