"""Chinese clauses made shorter: who did what to whom, without manner, measure words and what merely describes.

Works on tagged words and only ever leaves words out or moves an object behind its verb, so that nothing is said that
the text doesn't say. A clause that such cuts might have garbled is given up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from talekeeper.agents.builtin.words import Words

NAME_TAGS = frozenset({"PER", "LOC"})
_NOUNS = frozenset({"n", "nz", "nw", "nr", "ns", "nt", "ORG", "an", "vn", "s", "TIME", "PER", "LOC"})
_VERBS = frozenset({"v", "vd"})
_MANNER = frozenset({"a", "ad", "d", "an", "vd", "z", "i", "m"})
_COMPLEMENTS = {"起来": "起", "下来": "下", "出来": "出", "出去": "出", "上去": "上", "下去": "下", "起": "起"}
_SPLIT = re.compile("^(?P<v>[交送还递塞借卖传赠献留让转带拿抱背])(?P<to>给|到|回|往|去)$")
_HANGING = frozenset({"u", "p", "c", "d", "q", "w", "ad"})
_MEASURED = re.compile("^[一这那几某半](?![百千万十])")
_UNSURE = frozenset("他她它谁你您我咱") | {
    "他们",
    "她们",
    "它们",
    "我们",
    "你们",
    "咱们",
    "什么",
    "怎么",
    "这",
    "那",
    "其",
}


class Piece(NamedTuple):
    """A word with its tag; a known name is one piece, tagged PER or LOC."""

    word: str
    tag: str


def text_of(pieces: Iterable[Piece]) -> str:
    return "".join(p.word for p in pieces)


def condensed(pieces: Sequence[Piece], words: Words) -> list[Piece] | None:
    """The clause cut to its core; None when what is left isn't a clause."""
    core: list[Piece] | None = _without_manner(list(pieces), words)
    for step in (_without_adverbs, _without_measures, _without_settings, _without_descriptions, _object_last):
        if core is None:
            return None
        core = step(core, words)
    core = _without_aspect(core, words) if core is not None else None
    return core if core and _is_sound(core) else None


def _without_manner(pieces: list[Piece], words: Words) -> list[Piece] | None:
    """小心翼翼地推开 → 推开. What stands before 地 must be plainly an adverb."""
    while (at := next((i for i, p in enumerate(pieces) if p.word == "地" and p.tag == "u"), -1)) >= 0:
        start = at
        while start > 0 and pieces[start - 1].tag in _MANNER:
            start -= 1
        if start == at:
            return None
        pieces = pieces[:start] + pieces[at + 1 :]
    return pieces


def _without_adverbs(pieces: list[Piece], words: Words) -> list[Piece] | None:
    kept_words, dropped = words.set("kept_adverbs"), words.set("dropped_adverbs")
    kept: list[Piece] = []
    for i, piece in enumerate(pieces):
        after = pieces[i + 1] if i + 1 < len(pieces) else Piece("", "w")
        adverb = piece.tag in {"d", "ad"} and piece.word not in kept_words
        also = piece.word == "也" and after.word in {"不", "没", "没有"}
        degree = piece.tag == "d" and after.tag in {"a", "an"} and piece.word not in dropped
        if (adverb or piece.word in dropped) and not also and not degree and piece.tag not in NAME_TAGS:
            continue
        kept.append(piece)
    while kept and (kept[0].tag in {"c", "xc"} or (kept[0].tag == "u" and kept[0].word != "所")):
        kept = kept[1:]
    return kept


def _without_measures(pieces: list[Piece], words: Words) -> list[Piece] | None:
    """一枚铜钥匙 → 铜钥匙, 那截船绳 → 船绳; numbers that say how many stay."""
    lasting = words.set("time_measures")
    kept: list[Piece] = []
    i = 0
    while i < len(pieces):
        word, tag = pieces[i]
        after = pieces[i + 1] if i + 1 < len(pieces) else Piece("", "w")
        if tag == "m" and len(word) == 2 and _MEASURED.match(word) and word[1] not in lasting:
            if kept and kept[-1].word in {"最后", "第", "最", "每"}:
                kept.append(pieces[i])
                i += 1
                continue
            last = i + 1 == len(pieces) or after.word == "，"
            if word[0] != "半" and (not last or (kept and kept[-1].tag in _VERBS | {"u"})):
                i += 1
                continue
        if word in {"一", "这", "那", "某", "几"} and after.tag == "q" and after.word not in lasting:
            i += 2
            continue
        kept.append(pieces[i])
        i += 1
    return kept


def _without_settings(pieces: list[Piece], words: Words) -> list[Piece] | None:
    """Leaves out 对着空灯座, 沿着河堤, 当着他的面: from such a preposition to the verb after it."""
    light = words.set("light_prepositions")
    for at, piece in enumerate(pieces):
        if piece.word not in light:
            continue
        stop = next((i for i in range(at + 2, len(pieces)) if pieces[i].tag in _VERBS), -1)
        shown = {"面", "面前", "众人", "外人", "大家"}
        if stop < 0 or (piece.word == "当着" and not any(p.word in shown or p.tag == "PER" for p in pieces[at:stop])):
            return None
        return _without_settings(pieces[:at] + pieces[stop:], words)
    return pieces


def leaner(pieces: Sequence[Piece], words: Words) -> tuple[list[Piece], ...]:
    """The clause in ever fewer words: without where, then also without by what means, whose, and when."""
    placeless = _without_phrase(pieces, frozenset({"在", "从", "于"}))
    plain = _without_phrase(placeless, frozenset({"用", "以", "凭"}))
    unowned = _without_owner(plain, words)
    return placeless, plain, unowned, [p for p in unowned if p.tag != "TIME"] or unowned


def _without_phrase(pieces: Sequence[Piece], heads: frozenset[str]) -> list[Piece]:
    """Without 在观潮阁, 用铜钥匙: from such a word to the verb after it."""
    at = next((i for i, p in enumerate(pieces) if p.word in heads and p.tag in {"p", "v"}), -1)
    if at < 0 or any(p.tag in _VERBS for p in pieces[:at]):
        return list(pieces)
    stop = next((i for i in range(at + 2, len(pieces)) if pieces[i].tag in _VERBS | {"p"}), -1)
    plain = stop > 0 and all(p.tag in _NOUNS | {"f", "m", "q", "a"} or p.word == "的" for p in pieces[at + 1 : stop])
    return [*pieces[:at], *pieces[stop:]] if plain else list(pieces)


def _without_owner(pieces: Sequence[Piece], words: Words) -> list[Piece]:
    """罗九的盐仓 → 盐仓, where it follows the verb."""
    verb = next((i for i, p in enumerate(pieces) if p.tag in _VERBS), len(pieces))
    for i in range(verb + 2, len(pieces) - 1):
        owned = pieces[i].word == "的" and pieces[i - 1].tag in _NOUNS and pieces[i + 1].tag in _NOUNS
        if owned and pieces[i - 2].tag not in _NOUNS | {"f"} and pieces[i + 1].word not in words.set("bare_heads"):
            return [*pieces[: i - 1], *pieces[i + 1 :]]
    return list(pieces)


def _without_descriptions(pieces: list[Piece], words: Words) -> list[Piece] | None:
    """偷走了林家传下来的青灯 → 偷走了青灯; 摆渡的秦伯 → 秦伯; 沉重的大门 → 大门."""
    while True:
        at = _description(pieces, words)
        if at is None:
            return pieces
        pieces = pieces[: at[0]] + pieces[at[1] :]


def _description(pieces: list[Piece], words: Words) -> tuple[int, int] | None:
    for i, piece in enumerate(pieces):
        if piece.word != "的" or i + 1 == len(pieces) or i == 0:
            continue
        if pieces[i + 1].tag not in _NOUNS | {"a", "m", "q", "v"}:
            continue
        if pieces[i + 1].tag == "PER" and not any(p.tag in NAME_TAGS for p in pieces[:i]):
            return 0, i + 1
        if pieces[i + 1].tag not in _NOUNS or pieces[i + 1].word in words.set("bare_heads"):
            continue
        start = i
        while start > 0 and pieces[start - 1].tag in {"a", "ad", "an", "d", "z"}:
            start -= 1
        if start < i and (start == 0 or pieces[start - 1].tag in {"u", "v", "p", "m", "q"} | NAME_TAGS):
            return start, i + 1
        opened = max(
            (j for j in range(1, i) if pieces[j].word in {"了", "过"} and pieces[j - 1].tag in _VERBS), default=-1
        )
        if opened >= 0 and any(p.tag in _VERBS for p in pieces[opened + 1 : i]):
            return opened + 1, i + 1
        for j in range(i - 1):
            found = pieces[j].tag in _VERBS and pieces[j].word.endswith(words.list("finished_tails"))
            if found and any(p.tag in _VERBS for p in pieces[j + 1 : i]):
                return j + 1, i + 1
    return None


def _object_last(pieces: list[Piece], words: Words) -> list[Piece] | None:
    """把青灯交给秦霜 → 交青灯给秦霜, 把她扶了起来 → 扶起她; anything less plain stays as it is."""
    at = next((i for i, p in enumerate(pieces) if p.word in {"把", "将"} and p.tag == "p"), -1)
    verb = next((i for i in range(at + 1, len(pieces)) if pieces[i].tag in _VERBS), -1) if at >= 0 else -1
    thing = pieces[at + 1 : verb] if at >= 0 and verb > at + 1 else []
    if not thing or not all(p.tag in _NOUNS | {"r", "m", "q", "f"} or p.word == "的" for p in thing) or len(thing) > 4:
        return pieces
    rest = [p for p in pieces[verb + 1 :] if p.word != "了"]
    split = _SPLIT.match(pieces[verb].word)
    if split and rest and not any(p.tag in _VERBS for p in rest):
        return [*pieces[:at], Piece(split["v"], "v"), *thing, Piece(split["to"], "p"), *rest]
    if len(rest) == 1 and rest[0].word in _COMPLEMENTS and len(pieces[verb].word) == 1:
        return [*pieces[:at], Piece(pieces[verb].word + _COMPLEMENTS[rest[0].word], "v"), *thing]
    given = [p for p in rest if p.tag not in {"m", "q"}]
    if len(pieces[verb].word) == 1 and len(given) == 2 and given[0].word == "给":
        return [*pieces[:at], pieces[verb], *thing, *given]
    return pieces


def _without_aspect(pieces: list[Piece], words: Words) -> list[Piece]:
    """收留了沈砚 → 收留沈砚, 成了盟友 → 成为盟友; a verb that needs its 了 keeps it."""
    bound = words.set("needs_le")
    kept: list[Piece] = []
    for i, piece in enumerate(pieces):
        after = pieces[i + 1] if i + 1 < len(pieces) else Piece("", "w")
        if piece.word == "了" and kept and kept[-1].tag in _VERBS and after.tag in _NOUNS | {"r", "m", "q", "a"}:
            if kept[-1].word == "成":
                kept[-1] = Piece("成为", "v")
                continue
            if kept[-1].word not in bound:
                continue
        kept.append(piece)
    return kept


def _is_sound(pieces: Sequence[Piece]) -> bool:
    """Whether the cuts left a clause: a verb, nothing hanging at either end, nobody unknown in it."""
    last = pieces[-1]
    finished = last.word in {"了", "过"} or (last.word == "的" and any(p.word == "是" for p in pieces))
    if last.tag in _HANGING and not finished and last.tag != "d":
        return False
    if last.word.endswith(("着", "地", "得", "在", "被", "把", "时", "后", "前")) and last.tag not in NAME_TAGS:
        return last.tag in {"s", "f"} and any(p.tag == "p" for p in pieces)
    if pieces[0].tag in {"u", "q"} or (pieces[0].tag == "f" and len(pieces[0].word) < 2):
        return False
    if not any(p.tag in _VERBS | {"vn", "a"} for p in pieces):
        return False
    if _is_phrase(pieces):
        return False
    if any(p.tag == "xc" and p.word != "了" for p in pieces):
        return False
    return not any(p.word in _UNSURE and p.tag in {"r", "n", "nr"} for p in pieces)


def _is_phrase(pieces: Sequence[Piece]) -> bool:
    """几乎被遗忘的老旧建筑, 黄祖引二出马: a thing with its description, or a number whose thing the cuts took away."""
    at = max((i for i, p in enumerate(pieces) if p.word == "的"), default=-1)
    verbs = [i for i, p in enumerate(pieces) if p.tag in _VERBS]
    if at > 0 and verbs and verbs[-1] == at - 1 and len(verbs) == 1 and pieces[0].tag not in _NOUNS | {"r"}:
        return True
    return any(
        p.tag == "m" and len(p.word) == 1 and (i + 1 == len(pieces) or pieces[i + 1].tag in _VERBS | {"p"})
        for i, p in enumerate(pieces)
    )
