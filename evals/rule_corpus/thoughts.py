"""Thoughts that break T1–T10, and ones in unusual dress that don't."""

from __future__ import annotations

from collections.abc import Iterator

from talekeeper.evals.rule_corpus.sample import Corpus, Sample, World, broken, pick, valid, worlds
from talekeeper.evals.rule_corpus.thinking import Thinking, leaf, plain_leaf, rollup, scan
from talekeeper.memory.models import Language
from talekeeper.rules.lexicon import lexicon


def _all(world: World) -> Iterator[tuple[str, Thinking]]:
    yield "leaf", leaf(world)
    yield "second leaf", leaf(world, 1)
    yield "routine leaf", plain_leaf(world, 2)
    yield "rollup", rollup(world, world.outlines[0])


def _labels(language: Language) -> Iterator[Sample]:
    """T1."""
    words = lexicon(language)
    names = [given[0] for given in words.steps]
    elisions = pick(
        language,
        ("略", "同上", "（略）", "见下", "B3–B10 略", "其余同上。", "drafted in summary"),
        ("see below", "(as above)", "drafted in summary", "all clear", "B3-B10: omitted", "Same as before."),
    )
    innocent = pick(
        language,
        ("他用谋略取胜", "策略是先守后攻", "省略号不算句子", "见下文书信的人是顾青", "路上无事"),
        (
            "He saw below the deck",
            "the omitted name is Rafe's",
            "all clear skies over Bergen",
            "as above board as ever",
        ),
    )
    for world in worlds(language):
        for label, made in _all(world):
            text = made.text
            for name in names[:-1]:
                if label == "leaf":
                    yield broken(made.subject(text.replace(f"{name}\n", "", 1)), f"{label}, without {name}")
            yield valid(made.subject(), label)
            yield valid(made.subject(made.check_first), f"{label}, self-check before the final text")
            yield valid(made.subject(text.replace("\n", "\r\n")), f"{label}, CRLF")
        made, text = leaf(world), leaf(world).text
        a, b = names[1], names[2]
        swapped = text.replace(f"{a}\n", "@\n").replace(f"{b}\n", f"{a}\n").replace("@\n", f"{b}\n")
        yield broken(made.subject(swapped), "two labels swapped")
        yield broken(made.subject(text.replace(f"{b}\n", f"{b}\n.\n{b}\n")), "a label twice")
        yield broken(made.subject(made.with_(themes=("",)).text), "nothing under a label")
        yield broken(made.subject(made.with_(themes=("——",)).text), "only a dash under a label")
        check = f"{words.labels.self_check[0]}: "
        unchecked = "\n".join(line for line in text.split("\n") if not line.startswith(check))
        yield broken(made.subject(unchecked), "no self-check")
        yield broken(made.subject(made.with_(self_check="…").text), "an empty self-check")
        for elision in elisions:
            yield broken(made.subject(made.with_(sections=(elision,)).text), f"Step 4: {elision}")
        yield broken(made.subject(made.with_(themes=(made.themes[0], elisions[0])).text), "a line elided")
        yield broken(made.subject(made.with_(scan=(scan(language)[0], elisions[-1])).text), f"scan: {elisions[-1]}")
        for text_ in innocent:
            yield valid(made.subject(made.with_(themes=(*made.themes, text_)).text), text_)
        yield valid(made.subject(text.replace("Step", "**Step").replace("\n", "**\n", 0)), "Markdown")
        yield valid(
            made.subject("\n".join(f"## {r}" if r.startswith("Step") else r for r in text.split("\n"))), "headings"
        )


def _listed(language: Language) -> Iterator[Sample]:
    """T2."""
    for world in worlds(language):
        for label, made in (("leaf", leaf(world)), ("second", leaf(world, 1))):
            yield broken(made.subject(made.with_(listed=made.listed[:1]).text), f"{label}, one unit of two")
            yield broken(made.subject(made.with_(listed=made.listed[1:]).text), f"{label}, the other")
            bare = made.with_(listed=(f"{made.more['refs'][0]}:", made.listed[1]))
            yield broken(made.subject(bare.text), f"{label}, a unit without event")
            longer = made.with_(more={"refs": (*made.more["refs"], "u77")})
            yield broken(longer.subject(), f"{label}, a third unit")
            yield valid(made.subject(), label)
            yield valid(made.subject(made.with_(listed=made.listed[::-1]).text), f"{label}, another order")
            one_line = made.with_(listed=(" ".join(made.listed),))
            yield valid(made.subject(one_line.text), f"{label}, on one line")
            shouted = made.with_(listed=tuple(row.replace("u", "U", 1) for row in made.listed))
            yield valid(made.subject(shouted.text), f"{label}, upper case")
        plain = plain_leaf(world)
        yield valid(plain.subject(plain.with_(listed=(world.scenes[0].prose[0],)).text), "one unit, not named")
        whole = rollup(world, world.outlines[0])
        for index, row in enumerate(whole.listed):
            without = whole.with_(listed=whole.listed[:index] + whole.listed[index + 1 :])
            yield broken(whole.subject(without.text), f"child {index + 1} left out")
            thin = (*whole.listed[:index], row.split(" / ")[0], *whole.listed[index + 1 :])
            thin_row = row.split(";")[0]
            no_change = whole.with_(listed=(*thin[:index], thin_row, *thin[index + 1 :]))
            yield broken(whole.subject(no_change.text), f"child {index + 1} without its irreversible row")
        yield valid(whole.subject(), "rollup")
        yield valid(whole.subject(whole.with_(listed=whole.listed[::-1]).text), "rollup, another order")


def _themes(language: Language) -> Iterator[Sample]:
    """T3."""
    every = pick(language, ("以上全部归入一个主题",), ("all of the above form one theme",))[0]
    other = pick(language, ("别的主题：风向与潮水",), ("another theme: wind and tide",))[0]
    for world in worlds(language):
        for label, made in (
            ("leaf", leaf(world)),
            ("second", leaf(world, 1)),
            ("rollup", rollup(world, world.outlines[1])),
        ):
            refs = made.more["refs"]
            yield broken(made.subject(made.with_(themes=(other,)).text), f"{label}, none")
            yield broken(made.subject(made.with_(themes=(f"{other} {refs[0]}",)).text), f"{label}, one")
            yield valid(made.subject(), f"{label}, by unit")
            yield valid(made.subject(made.with_(themes=(every,)).text), f"{label}, all")
            yield valid(made.subject(made.with_(themes=made.listed).text), f"{label}, each by its words")
            span = f"{refs[0]}–{refs[-1]}: {world.thread}"
            yield valid(made.subject(made.with_(themes=(span,)).text), f"{label}, a range")
        for index in range(3):
            plain = plain_leaf(world, index)
            yield broken(plain.subject(plain.with_(themes=(other,)).text), f"routine leaf {index}, none")
            yield valid(plain.subject(), f"routine leaf {index}")


def _verdicts(language: Language) -> Iterator[Sample]:
    """T4."""
    vague = pick(
        language,
        ("删去后丢失氛围", "删去后信息不完整", "删去后后文可能需要", "删去后影响理解", "若删，读者会困惑"),
        (
            "without it the atmosphere is lost",
            "without it context is lost",
            "might be needed later",
            "without it the story would be less clear",
            "if cut, the flow would be confusing",
        ),
    )
    for world in worlds(language):
        for label, made in (("leaf", leaf(world)), ("rollup", rollup(world, world.outlines[0]))):
            rows = made.judged()
            for text in vague if label == "leaf" else vague[:2]:
                told = (made.verdict(1, made.draft[0], consequence=text), *rows[1:])
                yield broken(made.subject(made.with_(verdicts=told).text), f"{label}: {text}")
            yield broken(made.subject(made.with_(verdicts=rows[:-1]).text), f"{label}, one row short")
            yield broken(made.subject(made.with_(verdicts=(*rows, rows[0])).text), f"{label}, one row more")
            unsaid = made.verdict(1, made.draft[0], verdict="？")
            yield broken(made.subject(made.with_(verdicts=(unsaid, *rows[1:])).text), f"{label}, no verdict")
            mark = "｜" if language == "zh" else " | "
            short = mark.join(rows[0].split(mark)[-2:])
            yield broken(made.subject(made.with_(verdicts=(f"(1) {short}", *rows[1:])).text), f"{label}, two parts")
            bare = mark.join(part for i, part in enumerate(rows[0].split(mark)) if i != 2)
            yield broken(made.subject(made.with_(verdicts=(bare, *rows[1:])).text), f"{label}, no consequence")
            yield valid(made.subject(), label)
            semicolons = tuple(row.replace(mark, "；" if language == "zh" else "; ") for row in rows)
            yield valid(made.subject(made.with_(verdicts=semicolons).text), f"{label}, semicolons")
            dotted = tuple(row.replace("(", "", 1).replace(")", ".", 1) for row in rows)
            yield valid(made.subject(made.with_(verdicts=dotted).text), f"{label}, dots")
            table = ("| # | a | b | c | d |", "|---|---|---|---|---|", *(f"| {r.replace(mark, ' | ')} |" for r in rows))
            tabled = tuple(line.replace("(", "").replace(")", " |", 1) if line[2:3] == "(" else line for line in table)
            yield valid(made.subject(made.with_(verdicts=tabled).text), f"{label}, a table")
        plain = plain_leaf(world, 1)
        yield valid(plain.subject(), "routine leaf")


def _less_cut(language: Language) -> Iterator[Sample]:
    """T5."""
    for world in worlds(language):
        for index in range(2):
            made = leaf(world, index)
            kept = made.draft[:-1]
            strange = world.scenes[2].prose[0]
            bad = {
                "the cut one stands": made.draft,
                "one kept is lost": kept[1:],
                "the other is lost": kept[:1],
                "another stands": (*kept, strange),
                "one rewritten": (kept[0][: len(kept[0]) // 2] + kept[0][-1], *kept[1:]),
                "another order": kept[::-1],
            }
            for label, final in bad.items():
                yield broken(made.subject(made.with_(final=final).text), f"scene {index}, {label}")
            yield valid(made.subject(), f"scene {index}")
            lines = made.text.replace(kept[0] + ("" if language == "zh" else " "), kept[0] + "\n")
            yield valid(made.subject(lines), f"scene {index}, one sentence a line")
            whole = made.with_(draft=kept, cut=())
            yield valid(whole.subject(), f"scene {index}, nothing cut")
            yield valid(made.subject(made.text.replace("\n", "\r\n")), f"scene {index}, CRLF")
        for number, items in enumerate(world.outlines):
            made = rollup(world, items)
            yield broken(made.subject(made.with_(final=items[:-1]).text), f"outline {number}, an item lost")
            yield valid(made.subject(), f"outline {number}")
            numbered = tuple(f"{n}) {item}" for n, item in enumerate(items, 1))
            yield valid(made.subject(made.with_(draft=numbered, final=numbered).text), f"outline {number}, numbered")


def _sections(language: Language) -> Iterator[Sample]:
    """T6."""
    yes, no = pick(language, (" 是", " 否"), (" yes", " no"))
    none = pick(language, ("没有候选行：本轮没有留下任何东西",), ("no candidate: this turn left nothing behind",))[0]
    for world in worlds(language):
        made = leaf(world)
        bare = plain_leaf(world)
        rows = made.sections
        for index in range(3):
            without = rows[:index] + rows[index + 1 :]
            yield broken(made.subject(made.with_(sections=without).text), f"row {index + 1} not weighed")
            denied = rows[index].replace(yes, no, 1)
            told = (*rows[:index], denied, *rows[index + 1 :])
            yield broken(made.subject(made.with_(sections=told).text), f"row {index + 1} has a no")
            yield broken(bare.subject(bare.with_(sections=(rows[index],)).text), f"row {index + 1} left out")
            yield valid(bare.subject(bare.with_(sections=(denied,)).text), f"row {index + 1} refused")
        short = rows[0].rsplit("；" if language == "zh" else ";", 1)[0]
        yield broken(made.subject(made.with_(sections=(short, *rows[1:])).text), "two answers")
        yield broken(made.subject(made.with_(sections=(none,)).text), "said none, and there are three")
        yield broken(bare.subject(bare.with_(sections=("-",)).text.replace("\n-\n", "\n- 0\n")), "nothing said")
        yield valid(made.subject(), "three rows")
        yield valid(made.subject(made.with_(sections=rows[::-1]).text), "another order")
        ticks = tuple(row.replace(yes, " ✓") for row in rows)
        yield valid(made.subject(made.with_(sections=ticks).text), "ticks")
        letters = tuple(row.replace(yes, " Y") for row in rows)
        yield valid(made.subject(made.with_(sections=letters).text), "letters")
        yield valid(bare.subject(), "none")
        yield valid(bare.subject(bare.with_(sections=(none,)).text), none)
        whole = rollup(world, world.outlines[0])
        yield valid(whole.subject(), "rollup")


def _scan(language: Language) -> Iterator[Sample]:
    """T7."""
    spoken = pick(language, ("说道", "正式", "与此同时"), ("declared", "officially", "meanwhile"))
    for world in worlds(language):
        made = leaf(world)
        rows = scan(language)
        name = world.cast[0]
        better = world.scenes[0].prose[0]
        for index in (0, 4, 9):
            yield broken(made.subject(made.with_(scan=rows[:index] + rows[index + 1 :]).text), f"B{index + 1} left out")
        yield broken(made.subject(made.with_(scan=rows[:3]).text), "three of ten")
        yield broken(
            made.subject(made.with_(scan=(pick(language, ("十类都看过了",), ("ten classes read",))[0],)).text), "as one"
        )
        for number, word in enumerate(spoken, 6):
            hit = pick(language, (f"命中「{word}」",), (f'hit "{word}"',))[0]
            yield broken(made.subject(made.with_(scan=scan(language, {number: hit})).text), f"{word} not rewritten")
            told = f"{hit} → {better}"
            yield valid(made.subject(made.with_(scan=scan(language, {number: told})).text), f"{word} rewritten")
            kept = pick(language, (f"命中「{name}」",), (f'hit "{name}"',))[0]
            again = f"{kept} → {better}"
            yield broken(made.subject(made.with_(scan=scan(language, {number: again})).text), f"{name} still there")
        yield broken(made.subject(made.with_(scan=scan(language, {2: "?"})).text), "not said")
        yield valid(made.subject(), "none")
        joint = "；" if language == "zh" else "; "
        yield valid(made.subject(made.with_(scan=(joint.join(rows),)).text), "on one line")
        numbered = tuple(f"{n}. {row.split(' ', 1)[1]}" for n, row in enumerate(rows, 1))
        yield valid(made.subject(made.with_(scan=numbered).text), "numbers alone")
        dotted = tuple(row.replace("B", "- B.", 1) for row in rows)
        yield valid(made.subject(made.with_(scan=dotted).text), "dashes")
        for item in (plain_leaf(world, 1), rollup(world, world.outlines[1])):
            yield valid(item.subject(), item.kind)


def _byte_equal(language: Language) -> Iterator[Sample]:
    """T8."""
    for world in worlds(language):
        for label, made in _all(world):
            sent = made.summary
            first, rest = sent.split("\n", 1)
            bad = {
                "a space at the end": f"{sent} ",
                "a line break at the end": f"{sent}\n",
                "CRLF": sent.replace("\n", "\r\n"),
                "a no-break space": sent.replace(" ", "\u00a0", 1),
                "a zero-width space": sent[:7] + "\u200b" + sent[7:],
                "another colon": sent.replace(":", "：", 1),
                "the first line gone": rest,
                "a full stop less": sent[:-1],
            }
            for fault, summary in bad.items():
                yield broken(made.subject(summary=summary), f"{label}, {fault}")
            yield broken(made.subject(made.text.split("Step 6")[0]), f"{label}, no final text")
            yield valid(made.subject(), label)
            yield valid(made.subject(made.check_first), f"{label}, self-check first")
            spaced = made.with_(summary=f"  {sent}\n")
            yield valid(spaced.subject(), f"{label}, white space on both sides")
            yield valid(made.with_(summary=first).subject(), f"{label}, one line")


def _written_for_this(language: Language) -> Iterator[Sample]:
    """T9."""
    for world in worlds(language):
        made = [leaf(world, 0), leaf(world, 1), plain_leaf(world, 2)]
        outlines = [rollup(world, items) for items in world.outlines]
        for index, thinking in enumerate([*made, *outlines]):
            text = thinking.text
            yield broken(thinking.subject(earlier=(text,)), f"{index} used twice")
            yield broken(thinking.subject(earlier=("", f"\n{text}\n")), f"{index} used twice, white space")
            retold = thinking.with_(self_check="x", themes=(*thinking.themes, world.cast[1])).text
            yield broken(thinking.subject(earlier=(retold,)), f"{index} with two words changed")
            yield valid(thinking.subject(), f"{index} alone")
            others = tuple(t.text for t in [*made, *outlines] if t is not thinking)
            kept = tuple(o for o in others if index < len(made) or "rollup" not in o)
            yield valid(thinking.subject(earlier=kept[: 2 if index < len(made) else 3]), f"{index} beside others")
        for other in worlds(language):
            if other is not world:
                yield valid(
                    made[0].subject(earlier=(leaf(other).text, rollup(other, other.outlines[0]).text)), "two worlds"
                )


def _only_for_events(language: Language) -> Iterator[Sample]:
    """T10."""
    intents = pick(
        language,
        ("记下{a}的新身份。", "把{b}的去向写进线索", "", "新建{a}的条目。"),
        ("Record the new post of {a}.", "Note where {b} went", "", "Create a sheet for {a}."),
    )
    for world in worlds(language):
        a, b, _ = world.cast
        for type_ in ("character_sheet", "location_state", "thread"):
            for label, made in _all(world):
                yield broken(made.subject(type=type_), f"{label} for a {type_}")
            two = pick(language, (f"记下{a}的新身份。再看{b}。",), (f"Record the post of {a}. Then look at {b}.",))[0]
            yield broken(plain_leaf(world).subject(two, type=type_), f"two sentences for a {type_}")
            for text in intents:
                made = plain_leaf(world)
                subject = made.subject(text.format(a=a, b=b) or " ", type=type_)
                yield valid(subject, f"{text!r} for a {type_}")
        yield broken(plain_leaf(world).subject(" "), "an event without thought")
        for label, made in _all(world):
            yield valid(made.subject(), f"{label} for an event")


CORPUS: Corpus = {
    "T1": _labels,
    "T2": _listed,
    "T3": _themes,
    "T4": _verdicts,
    "T5": _less_cut,
    "T6": _sections,
    "T7": _scan,
    "T8": _byte_equal,
    "T9": _written_for_this,
    "T10": _only_for_events,
}
