"""Persons and places of a Chinese text: tagged words first, then the story's own inventions by pattern.

Precision comes first: a wrong name lives on in memory for good, a missed one comes back in its next scene.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from talekeeper.agents.builtin.found import PERSON, PLACE, Found
from talekeeper.agents.builtin.marking import Marker
from talekeeper.agents.builtin.tagger import Token
from talekeeper.agents.builtin.words import Words

_HAN = re.compile(r"[\u4e00-\u9fff]+(?:·[\u4e00-\u9fff]+)*")
_VERBS = frozenset({"v", "vd", "vn", "d", "ad", "p", "xc"})
GLUED = frozenset("托请派命令问答叫求劝送杀救追见给把与和同向对")
_Place = tuple[int, int, int]


def find_names(texts: Sequence[str], tokens: Sequence[Sequence[Token]], words: Words, chapter: bool) -> list[Found]:
    """Names of a batch, in order of first mention.

    Args:
        texts: one text a unit.
        tokens: the tagged words of each.
        chapter: whether a unit is a long chapter, where a name seen once isn't worth a sheet.
    """
    persons = _persons(texts, tokens, words, chapter)
    places = _places(texts, tokens, words, {p.name for p in persons}, chapter)
    names = {p.name for p in places}
    kept = [p for p in persons if p.name not in names and not _inside_places(p.name, texts, names)]
    return sorted([*kept, *places], key=lambda f: (f.unit, f.start, f.name))


def _persons(texts: Sequence[str], tokens: Sequence[Sequence[Token]], words: Words, chapter: bool) -> list[Found]:
    seen: dict[str, list[_Place]] = defaultdict(list)
    acting: set[str] = set()
    other: dict[str, int] = defaultdict(int)
    for unit, line in enumerate(tokens):
        for i, token in enumerate(line):
            name = _trimmed(line, i) if token.tag == "PER" else token.word
            if token.tag == "PER" and _may_be_person(name, words) and not _is_cut(line, i):
                seen[name].append((unit, token.start, token.start + len(name)))
                if _takes_part(line, i, name):
                    acting.add(name)
            elif len(token.word) > 1 and token.tag in {"n", "LOC", "v", "a"}:
                other[token.word] += 1
    introduced = _introduced(texts, words)
    for name in introduced:
        seen[name] = introduced[name]
        acting.add(name)
        other[name] = 0
    found = []
    for name, spots in seen.items():
        if other[name] > len(spots) or not _trusted(name, len(spots), name in acting, words, chapter):
            continue
        unit, start, end = spots[0]
        count = sum(text.count(name) for text in texts)
        found.append(Found(name, PERSON, unit, start, end, count, name in acting))
    return _without_fragments(found)


def _introduced(texts: Sequence[str], words: Words) -> dict[str, list[_Place]]:
    """Short names that come with what their bearer is (学徒小满), named more than once."""
    pattern = re.compile(f"(?:{'|'.join(words.list('helpers'))})(?P<name>[老小阿][\u4e00-\u9fff])(?![们的])")
    found: dict[str, list[_Place]] = {}
    for text in texts:
        for match in pattern.finditer(text):
            name = match["name"]
            spots = [(u, m.start(), m.end()) for u, t in enumerate(texts) for m in re.finditer(name, t)]
            if len(spots) >= 2 and _may_be_person(name, words):
                found.setdefault(name, spots)
    return found


def _trimmed(line: Sequence[Token], i: int) -> str:
    """A person's word without the verb that the tagger ran into it: 秦霜托|沈砚."""
    word = line[i].word
    after = line[i + 1] if i + 1 < len(line) else None
    if len(word) == 3 and word[-1] in GLUED and after is not None and after.tag in {"PER", "r"}:
        return word[:2]
    return word


def _takes_part(line: Sequence[Token], i: int, name: str) -> bool:
    """Whether a person does something here or has it done to them: a verb after the name, or right before it."""
    if name != line[i].word or (i + 1 < len(line) and line[i + 1].tag in _VERBS):
        return True
    return i > 0 and line[i - 1].tag in {"v", "p", "u", "c"}


def _is_cut(line: Sequence[Token], i: int) -> bool:
    """Whether the tagger cut a post short: 林坊|主 is no 林坊."""
    after = line[i + 1] if i + 1 < len(line) else None
    return after is not None and after.start == line[i].end and after.tag == "n" and after.word in set("主氏家府")


def _may_be_person(name: str, words: Words) -> bool:
    if not _HAN.fullmatch(name) or not 2 <= len(name) <= 8 or name in words.set("not_names"):
        return False
    if len(name) > 4 and "·" not in name and len(name) > 6:
        return False
    if re.search("[曰怒问命按乃道笑喝叹叫喊贼叱自绝寨急敢]$|[问叱曰]|大[怒喜惊笑叫]$", name):
        return False  # the tagger of today's Chinese runs a classical verb into the name
    if len(name) == 2 and name[1] in set("坊府庄村镇城寨堡楼阁店铺宅"):
        return False
    if re.search("[的了着们这那哪每某]|^[老小]?[一二三四五六七八九十]|[家氏府军兵]$", name):
        return False
    return not any(name.endswith(tail) and len(name) > len(tail) for tail in words.list("honorific_tails"))


def _trusted(name: str, count: int, acts: bool, words: Words, chapter: bool) -> bool:
    """Twice and acting is enough for any shape; once needs a family name and something done."""
    known = surname_of(name, words)
    shaped = bool(known) and len(name) - len(known) in (1, 2)
    if name[0] in "老小阿" and len(name) == 2:
        return count >= 2 and acts
    if chapter:
        return (count >= 2 and (shaped or (acts and count >= 3))) or (count >= 4 and acts)
    return (shaped and (acts or count >= 2)) or (count >= 2 and (acts or "·" in name))


def surname_of(name: str, words: Words) -> str:
    """The family name that ``name`` begins with, or nothing."""
    if name[:2] in words.set("compound_surnames") and len(name) > 2:
        return name[:2]
    return name[0] if name[0] in words.text("surnames") else ""


def _without_fragments(found: list[Found]) -> list[Found]:
    """A name that only begins a longer one, or drags the next word along, is a mistake of the tagger."""
    counts = {f.name: f.count for f in found}
    kept = []
    for item in found:
        longer = [n for n in counts if n != item.name and item.name in n]
        if longer and item.count <= sum(counts[n] for n in longer):
            continue  # it never stands by itself
        if (
            len(item.name) == 2
            and item.name[1] in "哥姐叔姨"
            and any(n != item.name and n[0] == item.name[0] for n in counts)
        ):
            continue  # how somebody named here is called
        shorter = [n for n in counts if n != item.name and item.name.startswith(n)]
        if any(counts[n] >= 3 * item.count for n in shorter):
            continue
        kept.append(item)
    return kept


def _inside_places(name: str, texts: Sequence[str], places: set[str]) -> bool:
    holders = [p for p in places if name in p]
    if not holders:
        return False
    return sum(t.count(name) for t in texts) <= sum(t.count(p) for t in texts for p in holders)


def _places(
    texts: Sequence[str], tokens: Sequence[Sequence[Token]], words: Words, persons: set[str], chapter: bool
) -> list[Found]:
    spots: dict[str, list[_Place]] = defaultdict(list)
    led: dict[str, int] = defaultdict(int)
    suffixes = words.list("place_suffixes")
    for unit, line in enumerate(tokens):
        for i, token in enumerate(line):
            name, start = token.word, token.start
            if token.tag in {"n", "nz", "ORG", "PER", "LOC", "nw", "v", "s", "vn"} and name.endswith(suffixes):
                name, start = _extend_left(line, i, words, persons)
            elif token.tag != "LOC":
                continue
            bare = re.sub("^(?:[东南西北]岸|城[东南西北中外])(?=..)", "", name)
            name, start = bare, start + len(name) - len(bare)
            if not _may_be_place(name, token, words, persons):
                continue
            spots[name].append((unit, start, token.end))
            led[name] += _is_led(texts[unit], start, token.end, words)
    found = []
    for name, where in spots.items():
        count = sum(text.count(name) for text in texts)
        if not _place_trusted(name, count, led[name], words, chapter):
            continue
        unit, start, end = where[0]
        found.append(Found(name, PLACE, unit, start, end, count))
    return [f for f in found if not any(f.name != g.name and f.name in g.name and f.count <= g.count for g in found)]


def _extend_left(line: Sequence[Token], i: int, words: Words, persons: set[str]) -> tuple[str, int]:
    """The name that ends with token ``i``: words before it belong to it until one that can't."""
    name, start = line[i].word, line[i].start
    if len(name) >= 3:
        return name, start
    stops = set(words.text("place_left_stops"))
    taken = 0
    for before in reversed(line[max(0, i - 2) : i]):
        joined = before.end == start and _HAN.fullmatch(before.word) and before.tag in {"n", "nz", "a", "v", "vn", "nr"}
        if not joined or len(before.word) > 3 or before.word in persons or before.word[-1] in stops:
            break
        if before.word in words.set("place_leads") or (len(before.word) > 1 and before.tag == "v"):
            break
        if (len(before.word) == 1 and before.word in stops | set("住守攻取登")) or len(name) + len(before.word) > 6:
            break
        name, start, taken = before.word + name, before.start, taken + 1
        if len(name) >= 3 and before.tag != "v":
            break
    return name, start


def _may_be_place(name: str, token: Token, words: Words, persons: set[str]) -> bool:
    if not _HAN.fullmatch(name) or not 2 <= len(name) <= 8:
        return False
    if name in words.set("place_stops") or name in words.set("place_suffixes") or name in words.set("not_names"):
        return False
    if name[0] in words.text("place_left_stops") and token.tag != "LOC":
        return False
    if len(name) == 2 and name[1] in set("寨营前口子边"):
        return False
    if name[0] in set("见求问找送接迎请") or name.endswith(("知县", "知州", "知府")):
        return False
    if name in persons or re.search("[的了着是和与他她它你我们这那就也被把给很没不说道问]", name):
        return False
    if token.tag == "LOC":
        return True
    if token.word == name and token.tag in {"n", "v", "vn", "s"}:
        return False  # a plain noun of the language: 灯塔, 客栈
    return len(name) >= 3


def _is_led(text: str, start: int, end: int, words: Words) -> bool:
    before = text[max(0, start - 3) : start]
    return before.endswith(words.list("place_leads")) or text[end : end + 1] in set("里中内外上下")


def _place_trusted(name: str, count: int, led: int, words: Words, chapter: bool) -> bool:
    if chapter:
        return count >= 2 and (led >= 1 or count >= 3)
    suffixed = name.endswith(words.list("place_suffixes"))
    return (led >= 1 and (count >= 2 or suffixed or len(name) >= 3 or led >= 1)) or (suffixed and count >= 2)


def aliases_in(texts: Sequence[str], persons: Sequence[str], words: Words) -> dict[str, str]:
    """Alias → bare name, where the text says so in words (人称…, 又名…, 姓刘名备字玄德)."""
    found: dict[str, str] = {}
    marker = Marker(persons, (), "zh")
    for text in texts:
        marked = marker.mark(text)
        for pattern in words.list("alias_patterns"):
            for match in words.named(pattern).finditer(marked.text):
                groups = {name: marked.plain(value) for name, value in match.groupdict().items()}
                who = groups.get("who") or f"{groups.get('sur')}{groups.get('giv')}"
                alias = groups["alias"]
                if alias != who and alias not in words.set("not_names") and not re.search("[的了是]", alias):
                    found.setdefault(alias, who)
    return found
