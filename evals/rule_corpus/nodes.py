"""Node writes that break N1–N6, N10 and N12–N14, and near-misses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from talekeeper.evals.rule_corpus.sample import Corpus, Sample, broken, pick, valid, worlds
from talekeeper.memory.models import Language, NameMatch
from talekeeper.memory.schema import default_schema
from talekeeper.rules.subjects import NodeSubject

PERSON, PLACE, THREAD, EVENT = "character_sheet", "location_state", "thread", "event"


def node(type_: str, title: str, *, edit_of: dict[str, Any] | None = None, **fields: Any) -> NodeSubject:
    """A create, or an edit of ``edit_of`` that sends ``fields``."""
    spec = default_schema().type(type_)
    if spec is None:
        raise LookupError(type_)
    if edit_of is None:
        image = {"title": title, **fields}
        return NodeSubject(spec, title, image, image)
    sent = dict(fields) if title == edit_of.get("title", title) else {"title": title, **fields}
    return NodeSubject(spec, title, {**edit_of, "title": title, **fields}, sent, before=edit_of)


def _columns(language: Language) -> Iterator[Sample]:
    """N1."""
    wrong = ("name", "alias", "mood", "Identity", "trait", "身份", "note", "summary", "status ", "")
    right = ("aliases", "traits", "identity", "goal", "inventory", "language_sample", "addressing_user")
    for world in worlds(language):
        name = world.cast[0]
        for column in wrong:
            image: dict[str, Any] = {column: name}
            yield broken(node(PERSON, name, **image), f"column {column!r}")
        yield broken(replace(node(PERSON, name), cleared=("mood",)), "clears what isn't there")
        for column in right:
            image = {column: name}
            yield valid(node(PERSON, name, **image), f"column {column}")
        yield valid(replace(node(PERSON, name, goal=name), cleared=("traits",)), "clears a column")


def _required(language: Language) -> Iterator[Sample]:
    """N2."""
    for world in worlds(language):
        name, note = world.cast[0], world.scenes[0].prose[0]
        thread = {"title": world.thread, "status": "active", "note": note}
        for blank in ("", "  ", "\u3000", "\u200b", None):
            yield broken(node(PERSON, blank or ""), f"title {blank!r}")
            yield broken(node(THREAD, world.thread, status="active", note=blank), f"note {blank!r}")
        yield broken(node(EVENT, name), "an event without summary")
        yield broken(node(THREAD, world.thread, note=note), "a thread without status")
        yield broken(replace(node(THREAD, world.thread, edit_of=thread), cleared=("note",)), "clears the note")
        yield valid(node(PERSON, name), "a bare name")
        yield valid(node(PERSON, name, goal="", traits=[]), "optional columns empty")
        yield valid(node(THREAD, world.thread, status="active", note=note), "a full thread")
        yield valid(node(THREAD, world.thread, edit_of=thread, status="resolved"), "an edit of the status")
        yield valid(
            replace(node(PERSON, name, edit_of={"title": name, "goal": note}), cleared=("goal",)), "clears a goal"
        )
        yield valid(node(EVENT, "", summary=world.event(0)), "an event without title")
        yield valid(replace(node(PERSON, ""), deleting=True), "a delete")


def _titles(language: Language) -> Iterator[Sample]:
    """N3."""
    brackets = pick(language, ("（", "）"), (" (", ")"))
    others = pick(language, ("船长", "侦探", "Lin"), ("the captain", "detective", "Lin"))
    for world in worlds(language):
        for name in world.cast:
            for other in others:
                yield broken(
                    node(PERSON, f"{name}{brackets[0]}{other}{brackets[1]}"), f"{name} and {other} in brackets"
                )
            yield valid(node(PERSON, name), name)
            yield valid(node(PERSON, name, aliases=[f"{other} {name}" for other in others]), f"{name} with aliases")
            yield valid(node(THREAD, f"{name} [1]", status="active", note=name), "a thread's title is no name")
    bad = pick(
        language,
        (
            "将军李广",
            "船长杰克",
            "精灵莱戈拉斯",
            "华山派令狐冲",
            "林晚/Lin Wan",
            "林晚 Lin Wan",
            "Captain 林晚",
            "上校马丁",
        ),
        ("Captain Jack", "Dr. Strange", "Lady Macbeth", "Lin Wan / 林晚", "King Arthur", "Elf Legolas", "Sgt. Miller"),
    )
    good = pick(
        language,
        ("王老板", "张三丰", "老板娘", "王子轩", "船长", "司马懿", "太史慈", "马教授", "店小二", "阿尔弗雷德·沃克"),
        ("Captain", "King of Ash", "Prince Charming", "The Baker", "Mary-Jane O'Neil", "Lady", "Queenie", "Doc"),
    )
    for title in bad:
        yield broken(node(PERSON, title), title)
    for title in good:
        yield valid(node(PERSON, title), title)
    places = pick(
        language, ("Blue Moon 酒吧", "基地 Alpha", "国王十字站"), ("King's Landing", "Captain's Cabin", "Lady Lane")
    )
    for title in places:
        yield valid(node(PLACE, title), title)
    for title in pick(language, ("北港（旧）", "北港/North Port"), ("Northport (old)", "North Port / 北港")):
        yield broken(node(PLACE, title), title)


def _namesakes(language: Language) -> Iterator[Sample]:
    """N4."""
    for world in worlds(language):
        for number, name in enumerate(world.cast):
            by_title = NameMatch(f"char_{number}", PERSON, name, "title", name)
            by_alias = NameMatch(f"char_{number}", PERSON, f"{name}?", "alias", name)
            yield broken(replace(node(PERSON, name), namesakes=(by_title,)), f"{name} is a title")
            yield broken(replace(node(PERSON, name.upper()), namesakes=(by_alias,)), f"{name} is an alias")
            both = replace(node(PERSON, f"{name}?", aliases=[name]), namesakes=(by_title, by_alias))
            yield broken(both, f"an alias is {name}")
            yield valid(node(PERSON, name), f"{name} is new")
            edit = node(PERSON, name, edit_of={"title": name}, goal=name)
            yield valid(replace(edit, namesakes=(by_alias,)), f"an edit of {name}")
            yield valid(replace(node(PERSON, name), namesakes=(by_title,), deleting=True), f"{name} goes")


def _edits(language: Language) -> Iterator[Sample]:
    """N5."""
    for world in worlds(language):
        a, b, _ = world.cast
        before = {"title": a, "goal": world.thread, "traits": [b], "identity": ""}
        fixed = node(PERSON, a, edit_of=before, goal=b)
        spec = fixed.spec.model_copy(update={"editable": False})
        kept = fixed.spec.model_copy(update={"deletable": False})
        yield broken(node(PERSON, a, edit_of=before), "sends nothing")
        yield broken(node(PERSON, a, edit_of=before, goal=world.thread), "the same goal")
        yield broken(node(PERSON, a, edit_of=before, goal=b, traits=[b]), "one of two the same")
        yield broken(replace(node(PERSON, a, edit_of=before), cleared=("identity",)), "clears what is empty")
        yield broken(replace(fixed, spec=spec), "a type that can't be edited")
        yield broken(replace(fixed, spec=kept, deleting=True), "a type that can't be deleted")
        yield valid(fixed, "another goal")
        yield valid(node(PERSON, b, edit_of=before), "another title")
        yield valid(node(PERSON, a, edit_of=before, traits=[b, a]), "one more trait")
        yield valid(node(PERSON, a, edit_of=before, identity=b), "a field that was empty")
        yield valid(replace(node(PERSON, a, edit_of=before), cleared=("goal",)), "clears the goal")
        yield valid(replace(fixed, spec=kept), "an edit of a type that can't be deleted")
        yield valid(replace(node(PERSON, a, goal=b), spec=spec), "a create of a type that can't be edited")


def _own_words(language: Language) -> Iterator[Sample]:
    """N6."""
    for world in worlds(language):
        a, b, _ = world.cast
        lines = [line for line in world.source.split("\n") if line]
        whole = [part for line in lines for part in _sentences(line, language)]
        for sentence in whole:
            yield broken(_sourced(node(PERSON, a, goal=sentence), world.source), f"goal: {sentence}")
            yield broken(_sourced(node(PLACE, b, state=sentence), world.source), f"state: {sentence}")
            padded = pick(language, (f"近来{sentence}",), (f"Of late. {sentence}",))[0]
            yield broken(_sourced(node(PERSON, a, traits=[b, padded]), world.source), f"a trait: {padded}")
            short = _half(sentence, language)
            yield valid(_sourced(node(PERSON, a, goal=short), world.source), f"half of it: {short}")
            yield valid(_sourced(node(PERSON, a, language_sample=[f"{a}: {sentence}"]), world.source), "a sample")
            yield valid(node(PERSON, a, goal=sentence), "no source to copy from")
        for scene in world.scenes:
            yield valid(_sourced(node(PERSON, a, goal=scene.prose[0]), world.source), "own words")
        for index in range(3):
            yield valid(_sourced(node(EVENT, "", summary=world.event(index)), world.source), f"event {index}")
        yield valid(_sourced(node(EVENT, "", summary=world.full_event()), world.source), "an excerpt")
        copied = world.event(0, prose=whole[-1])
        yield broken(_sourced(node(EVENT, "", summary=copied), world.source), "prose copied")


def _sourced(subject: NodeSubject, source: str) -> NodeSubject:
    return replace(subject, batch_text=source)


def _sentences(line: str, language: Language) -> list[str]:
    """Sentences of a source line of at least the length that counts as copying."""
    end = "。" if language == "zh" else ". "
    parts = [part.strip() for part in line.split(end)]
    long = [p for p in parts if (len(p) >= 16 if language == "zh" else len(p.split()) >= 10)]
    return [p if p.endswith((".", "。")) else p + end.strip() for p in long]


def _half(sentence: str, language: Language) -> str:
    if language == "zh":
        return sentence[:9]
    return " ".join(sentence.split()[:6])


def _samples(language: Language) -> Iterator[Sample]:
    """N10."""
    labels = pick(
        language, ("工作时", "对亲近的人", "战斗中", "醉后"), ("at work", "with friends", "in a fight", "drunk")
    )
    says = pick(language, ("都退后，让我来。", "账要一笔一笔算。"), ("Stand back, all of you.", "One thing at a time."))
    for world in worlds(language):
        a, b, _ = world.cast
        samples = [f"{label}: {says[i % 2]}" for i, label in enumerate(labels)]
        before = {"title": a, "identity": b, "language_sample": samples[:2]}
        long = says[0] * (31 // len(says[0]) + 1)
        yield broken(node(PERSON, a, language_sample=samples), "four samples")
        yield broken(node(PERSON, a, language_sample=[f"{labels[0]}: {long}"]), "too long")
        yield broken(node(PERSON, a, language_sample=[says[0]]), "no label")
        yield broken(node(PERSON, a, language_sample=[*samples[:2], says[1]]), "one of three without a label")
        yield broken(node(PERSON, a, edit_of=before, language_sample=samples[2:3]), "rewritten")
        yield broken(node(PERSON, a, edit_of=before, language_sample=samples[1:2]), "one dropped")
        yield valid(node(PERSON, a, language_sample=samples[:3]), "three samples")
        yield valid(node(PERSON, a, language_sample=[f"[{labels[0]}] {says[0]}"]), "a label in brackets")
        yield valid(node(PERSON, a, language_sample=[f"{labels[0]}：“{says[0]}”"]), "quoted, full-width colon")
        yield valid(node(PERSON, a, language_sample=[f"{labels[0]}: {'好' * 30}"]), "thirty characters")
        yield valid(node(PERSON, a, edit_of=before, language_sample=samples[:3]), "one added")
        changed = node(PERSON, a, edit_of=before, identity=a, language_sample=samples[2:3])
        yield valid(changed, "rewritten with the identity")
        yield valid(node(PERSON, a, edit_of=before, goal=b), "samples untouched")


def _thread_titles(language: Language) -> Iterator[Sample]:
    """N12."""
    bad = pick(
        language,
        (
            "{a}的事",
            "感情线",
            "{a}之谜",
            "{a}的邀约",
            "{a}与{b}之间一直没有说清的那笔旧账",
            "找到{b}！",
            "{a}在哪里？",
            "{a}的事情",
            "成长线",
            "那件事",
        ),
        (
            "The matter of {a}",
            "{a}'s invitation",
            "romance arc",
            "{a} storyline",
            "The mystery of {b}",
            "What {a} has to find out about {b} before the war is over",
            "Find {b}!",
            "Where is {a}?",
            "The business with {b}",
            "the situation",
        ),
    )
    good = pick(
        language,
        (
            "{b}的登船邀约",
            "守护{a}",
            "突破封锁线",
            "归还玉佩",
            "调查7号航线",
            "查明谜底",
            "缉拿{b}",
            "线人接头",
            "{a}的嘱托",
            "守住防线",
        ),
        (
            "Return of the compass",
            "Find {a}",
            "{b}'s offer to sail north",
            "Safe passage for {a}",
            "Debt to {b}",
            "Arctic survey",
            "Prove {a} innocent",
            "Matter transporter repaired",
            "Break the siege",
            "Catch {b}",
        ),
    )
    for world in worlds(language):
        a, b, _ = world.cast
        names = {"a": a[:3] if language == "zh" else a.split()[0], "b": b[:3] if language == "zh" else b.split()[0]}
        for text in bad:
            yield broken(node(THREAD, text.format(**names)), text)
        for text in good:
            yield valid(node(THREAD, text.format(**names)), text)
        yield valid(node(THREAD, world.thread), world.thread)


def _notes(language: Language) -> Iterator[Sample]:
    """N13."""
    ends = pick(
        language,
        ("归还时了结", "若{b}身亡则作罢", "待两人重逢才算完成", "直到债清为止", "一旦账本公开即告终"),
        (
            "resolved once it is returned",
            "void if {b} dies",
            "over when they meet again",
            "until the debt is paid",
            "done when told",
        ),
    )
    for world in worlds(language):
        a, b, _ = world.cast
        for fact in (scene.prose[0] for scene in world.scenes):
            fact = fact.replace("when ", "as ").replace("after ", "with ")
            long = fact * 9 if language == "zh" else " ".join([fact] * 9)
            yield broken(node(THREAD, world.thread, status="active", note=long + ends[0]), "too long")
            plain = pick(language, (f"{a}把信物交给了{b}。",), (f"{a} gave a token to {b}.",))[0]
            yield broken(node(THREAD, world.thread, status="active", note=plain), "doesn't say when")
            bare = pick(language, (f"{b}仍欠{a}一个交代。",), (f"{b} still owes {a} an answer.",))[0]
            yield broken(node(THREAD, world.thread, note=bare), "doesn't say when, no status")
        for end in ends:
            note = pick(language, (f"{b}欠{a}一物，{end}。",), (f"{b} owes {a} something; {end}.",))[0]
            yield valid(node(THREAD, world.thread, status="active", note=note.format(b=b)), f"…{end}")
        told = pick(language, (f"{b}已把东西交给{a}。",), (f"{b} gave it to {a}.",))[0]
        yield valid(node(THREAD, world.thread, status="resolved", note=told), "a closed one tells how it ended")
        yield valid(node(THREAD, world.thread, status="abandoned", note=told), "an abandoned one")


def _statuses(language: Language) -> Iterator[Sample]:
    """N14."""
    wrong = ("done", "Active", "进行中", "open", "resolved ", "pending")
    for world in worlds(language):
        note = world.scenes[0].prose[0]
        for status in wrong:
            yield broken(node(THREAD, world.thread, status=status, note=note), f"status {status!r}")
        for status in ("active", "resolved", "abandoned"):
            yield valid(node(THREAD, world.thread, status=status, note=note), f"status {status}")
            before = {"title": world.thread, "status": status, "note": note}
            yield valid(node(THREAD, world.thread, edit_of=before, note=world.thread), f"{status} stays")
        for status in ("resolved", "abandoned"):
            before = {"title": world.thread, "status": status, "note": note}
            yield broken(node(THREAD, world.thread, edit_of=before, status="active"), f"{status} → active")
            opened = {"title": world.thread, "status": "active", "note": note}
            yield valid(node(THREAD, world.thread, edit_of=opened, status=status), f"active → {status}")


CORPUS: Corpus = {
    "N1": _columns,
    "N2": _required,
    "N3": _titles,
    "N4": _namesakes,
    "N5": _edits,
    "N6": _own_words,
    "N10": _samples,
    "N12": _thread_titles,
    "N13": _notes,
    "N14": _statuses,
}
