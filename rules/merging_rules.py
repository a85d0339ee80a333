"""C3–C7: an outline keeps every permanent change, is much shorter, merges by theme, and tells nothing new."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from talekeeper.memory.tokens import count_tokens
from talekeeper.rules import rollup_form
from talekeeper.rules.copying import copied
from talekeeper.rules.family import rule
from talekeeper.rules.grounding import ground, strangers
from talekeeper.rules.model import Violation
from talekeeper.rules.outline_parts import (
    MOST_ITEMS,
    Children,
    Units,
    change_of,
    children,
    contained,
    content,
    item_subject,
    item_texts,
    part_set,
    parts,
    same_change,
    verb_class,
)
from talekeeper.rules.pack import LanguagePack
from talekeeper.rules.scan import units
from talekeeper.rules.subjects import RollupSubject

SHARES = {1: 0.6, 2: 0.5}
DEEP_SHARE = 0.4
TINY = 45
"""Tokens of a child's body up to which its group may keep one line for each child."""
_CARRIED, _CARRIED_IN_OTHER_WORDS = 0.5, 0.25
_TWICE, _ROW_TWICE = 0.75, 0.8
_OWN_CHILD = 0.3
_COPIED = {"zh": 16, "en": 11}
"""Characters or words, names aside, from which a sentence is prose; a shorter one is an outline's line already."""
_NOT_TOLD = 0.25
_WHOLE = {"zh": 24, "en": 16}
_LEAST_UNITS, _LEAST_TOLD = 4, 3
_CLAUSES = re.compile(r"[，,；;、()（）]")
_MOVES = ("return", "prepare", "travel")
_MOST_NAMES = 5000


def changes_kept(subject: RollupSubject, pack: LanguagePack) -> Iterator[Violation]:
    """C3. A row stands in a line that has half of what it tells, or tells the same kind of change of the same one."""
    group = children(subject, pack)
    lines = item_texts(subject, pack)
    for row in group.rows[:MOST_ITEMS]:
        if not any(carries(line, row, group.common, pack, _CARRIED) for line in lines):
            yield pack.report("C3", "lost", where="summary", excerpt=row)


def carries(line: str, row: str, common: Units, pack: LanguagePack, share: float) -> bool:
    """The line tells what the row tells."""
    language = pack.language
    told, have = change_of(row, common, language), content(line, language)
    found = contained(told, have)
    if found >= share and (language == "en" or len(told) < 3 or _in_one_piece(row, line, told, language)):
        return True
    named, groups = part_set(row, language) & common, pack.words.change_groups
    if not named:
        return found >= share
    if found >= _CARRIED_IN_OTHER_WORDS:
        return bool(named & part_set(line, language)) and same_change(row, line, groups)
    if language == "en":
        return False
    clauses = (clause for clause in _CLAUSES.split(line) if named & part_set(clause, language))
    return any(same_change(row, clause, groups) for clause in clauses)


def _in_one_piece(row: str, line: str, told: Units, language: str) -> bool:
    """Some pair of the row's telling characters stands together in the line: no chance hits of single characters."""
    pairs = {p for p in parts(row, "zh") if any(c in told for c in p)}
    return bool(pairs & part_set(line, "zh"))


def shorter(subject: RollupSubject, pack: LanguagePack) -> Iterator[Violation]:
    """C4."""
    if not subject.children or not subject.summary.strip():
        return
    mine = count_tokens(subject.summary)
    theirs = sum(count_tokens(child.summary) for child in subject.children)
    share = SHARES.get(subject.depth, DEEP_SHARE)
    if mine <= share * theirs or _tiny(subject, pack):
        return
    percent = round(100 * mine / theirs) if theirs else 100
    values = {"tokens": mine, "percent": percent, "limit": round(100 * share), "most": int(share * theirs)}
    yield pack.report("C4", "too_long", where="summary", values=values)


def _tiny(subject: RollupSubject, pack: LanguagePack) -> bool:
    """Every child is a line or two, and the outline has no more lines than children, none longer than theirs."""
    sizes = [count_tokens(text) for text in children(subject, pack).bodies]
    items = item_texts(subject, pack)
    if max(sizes, default=0) > TINY or len(items) > len(sizes):
        return False
    return all(count_tokens(item) <= max(sizes) for item in items)


def merged(subject: RollupSubject, pack: LanguagePack) -> Iterator[Violation]:
    """C5."""
    outline = rollup_form.parse(subject.summary, pack.language)
    heads = [(item_subject(i.text, pack), verb_class(i.text, pack)) for i in outline.items[:MOST_ITEMS]]
    seen: dict[tuple[Units, str], int] = {}
    for number, head in enumerate(heads, 1):
        if head[0] and head[1] and head in seen:
            told: dict[str, str | int] = {"first": seen[head], "second": number, "who": pack.listed(sorted(head[0]))}
            yield pack.report("C5", "unmerged", where="summary", span=outline.rows[number - 1], values=told)
        seen.setdefault(head, number)
    group = children(subject, pack)
    if subject.depth <= 1:
        yield from _copies(subject, outline, group, pack)
    if _one_each(subject, group, pack):
        yield pack.report("C5", "one_each", where="summary", count=len(heads))


def _copies(
    subject: RollupSubject, outline: rollup_form.RollupText, group: Children, pack: LanguagePack
) -> Iterator[Violation]:
    """Items that repeat sentences of a child's prose, names not counted; a permanent change may keep its words."""
    source = "\n".join(group.bodies)
    for (start, end), item in zip(outline.rows[:MOST_ITEMS], outline.items, strict=False):
        at = subject.summary.find(item.text, start, end)
        if at < 0:
            continue
        spans = list(copied(item.text, source, pack.words.sentence_ends))
        said = [item.text[a:b] for a, b in spans]
        own = sum(_own_size(text, group.common, pack) for text in said if not _is_row(text, group, pack))
        if own >= _COPIED[pack.language] or (spans and _stands_whole(item.text, source, pack)):
            span = (at + spans[0][0], at + spans[-1][1])
            yield pack.report("C5", "copied", where="summary", text=subject.summary, span=span)


def _stands_whole(text: str, source: str, pack: LanguagePack) -> bool:
    """The whole of a long item stands in the source, names and all."""
    mine = units(text)
    return len(mine) >= _WHOLE[pack.language] and "".join(mine) in "".join(units(source))


def _is_row(text: str, group: Children, pack: LanguagePack) -> bool:
    mine = part_set(text, pack.language)
    return any(contained(mine, part_set(row, pack.language)) >= _ROW_TWICE for row in group.rows)


def _own_size(text: str, common: Units, pack: LanguagePack) -> int:
    """Characters (zh) or words (en) of a text that belong to no name."""
    if pack.language == "en":
        return sum(1 for word in text.split() if word[:1].islower())
    named = {c for pair in parts(text, "zh") if pair in common for c in pair}
    return sum(1 for c in units(text) if c not in named)


def _one_each(subject: RollupSubject, group: Children, pack: LanguagePack) -> bool:
    """As many items as children, each item its own child's, in order."""
    items = item_texts(subject, pack)
    if len(items) < 3 or len(items) != len(group.bodies) or _tiny(subject, pack):
        return False
    bodies = [part_set(text, pack.language) for text in group.bodies]
    for index, item in enumerate(items):
        shares = [contained(part_set(item, pack.language) - group.common, b - group.common) for b in bodies]
        best = max(shares)
        if best < _OWN_CHILD or shares[index] < best or shares.count(best) > 1:
            return False
    return True


def told_once(subject: RollupSubject, pack: LanguagePack) -> Iterator[Violation]:
    """C6."""
    outline = rollup_form.parse(subject.summary, pack.language)
    sets = [_told(item.text, pack) for item in outline.items[:MOST_ITEMS]]
    twice: set[int] = set()
    for (i, first), (j, second) in combinations(enumerate(sets), 2):
        small, large = (first, second) if len(first) <= len(second) else (second, first)
        alike = contained(small, large) >= _TWICE and len(small) >= _LEAST_TOLD
        if j not in twice and (alike or outline.items[i].text == outline.items[j].text):
            twice.add(j)
            told = {"first": i + 1, "second": j + 1}
            yield pack.report("C6", "twice", where="summary", text=subject.summary, span=outline.rows[j], values=told)
    lines, group = item_texts(subject, pack), children(subject, pack)
    for row in group.rows[:MOST_ITEMS]:
        wanted = part_set(row, pack.language)
        at = [n for n, line in enumerate(lines) if contained(wanted, part_set(line, pack.language)) >= _ROW_TWICE]
        if len(at) > 1 and not set(at[1:]) <= twice and len(wanted) >= _LEAST_UNITS:
            yield pack.report("C6", "row_twice", where="summary", excerpt=row, numbers=pack.listed(n + 1 for n in at))


def _told(text: str, pack: LanguagePack) -> Units:
    """What an item says of its subject: its units less those of the names it begins with, less capitalised words."""
    if pack.language == "en":
        return content(" ".join(word for word in text.split() if word[:1].islower()), "en")
    names = item_subject(text, pack)
    return frozenset(unit for unit in part_set(text, "zh") if not any(unit in name for name in names))


def nothing_new(subject: RollupSubject, pack: LanguagePack) -> Iterator[Violation]:
    """C7."""
    if not subject.children:
        return
    outline = rollup_form.parse(subject.summary, pack.language)
    texts = tuple(child.summary for child in subject.children)
    base = ground(texts, frozenset())
    told = content("\n".join(texts), pack.language)
    for (row_start, end), item in zip(outline.rows[:MOST_ITEMS], outline.items, strict=False):
        start = max(row_start, subject.summary.find(item.text, row_start, end))
        line, reported = subject.summary[start:end], False
        found = [*strangers(line, base, pack.words), *_before_verb(line, base.text, pack)]
        for a, b in [*found, *_known_elsewhere(line, base.text, subject)]:
            reported = True
            yield pack.report("C7", "name", where="summary", text=subject.summary, span=(start + a, start + b))
        for a, b in _moves(line, texts, pack):
            reported = True
            yield pack.report("C7", "move", where="summary", text=subject.summary, span=(start + a, start + b))
        mine = content(item.text, pack.language)
        if not reported and len(mine) >= _LEAST_UNITS and contained(mine, told) < _NOT_TOLD:
            yield pack.report("C7", "untold", where="summary", text=subject.summary, span=(start, end))


def _known_elsewhere(line: str, told: str, subject: RollupSubject) -> Iterator[tuple[int, int]]:
    """Names of the memory that the line has and no child."""
    if subject.known_names is None or len(subject.known_names) > _MOST_NAMES:
        return
    for name in sorted(subject.known_names):
        at = line.find(name) if len(name) > 1 else -1
        if at >= 0 and name.casefold() not in told:
            yield at, at + len(name)


def _before_verb(line: str, told: str, pack: LanguagePack) -> Iterator[tuple[int, int]]:
    """zh: a surname with a given name between 与 and a verb that the pack knows (与赵明德结盟)."""
    if pack.language != "zh":
        return
    words = pack.words
    for start in sorted(
        {span[0] for name, spans in words.classes.hits(line).items() if name[:2] == "V_" for span in spans}
    ):
        for size in (3, 2):
            name = line[max(0, start - size) : start]
            joined = line[start - size - 1 : start - size] if start > size else ""
            if len(units(name)) == size and name[0] in words.surnames and joined and joined in words.name_openers:
                if name not in told and name[:2] not in words.common_starts and name[1:] not in told:
                    yield start - size, start
                break


def _moves(line: str, texts: Sequence[str], pack: LanguagePack) -> Iterator[tuple[int, int]]:
    classes = pack.words.classes
    mine = classes.hits(line)
    for move in _MOVES:
        spans = mine.get(f"C7_{move}", ())
        if not spans:
            continue
        names = (f"C7_{move}", f"C7_{move}_from")
        if not any(classes.hits(text).get(name) for text in texts for name in names):
            yield from spans


RULES = (
    rule("C3", "rollup", changes_kept),
    rule("C4", "rollup", shorter),
    rule("C5", "rollup", merged),
    rule("C6", "rollup", told_once),
    rule("C7", "rollup", nothing_new),
)
