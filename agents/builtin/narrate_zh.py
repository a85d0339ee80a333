"""Chinese narration told again in a few words: for each sentence who did what, pronouns resolved, texture left out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from talekeeper.agents.builtin.cast import Cast
from talekeeper.agents.builtin.condense_zh import NAME_TAGS, Piece, condensed, leaner, text_of
from talekeeper.agents.builtin.found import PERSON, PLACE
from talekeeper.agents.builtin.pieces import Names, clause_pieces
from talekeeper.agents.builtin.point import Point
from talekeeper.agents.builtin.reading import Reading
from talekeeper.agents.builtin.sentences import MASK, Sentence
from talekeeper.agents.builtin.subjects import Clause, Line
from talekeeper.agents.builtin.words import Words

_CLAUSE_LIMIT, _SENTENCE_LIMIT, _MOST_CLAUSES = 24, 46, 3
_OWN_TAGS = frozenset({"n", "nz", "nw", "LOC", "s", "f", "ORG"})
_AND = frozenset({"与", "和", "同", "、", "及"})
_PERSONAL = frozenset("他她我你您")
_OBJECT_TAGS = frozenset({"n", "nz", "nw", "ORG", "LOC", "s", "TIME", "m", "an", "vn"})


@dataclass(frozen=True)
class _Told:
    """One clause retold: its text, who does it (``named`` = it says so itself), how much it matters.

    ``own``: something other than a person is its subject; ``reports``: what follows is what somebody tells; ``needs``:
    its object stands in the clause before; ``leaner``: the same in ever fewer words.
    """

    text: str
    subject: str
    weight: float
    named: bool
    reports: bool = False
    own: bool = False
    needs: bool = False
    leaner: tuple[str, ...] = ()


class NarrationZh:
    """Retells the sentences of one batch."""

    def __init__(self, reading: Reading, cast: Cast, words: Words, user: str) -> None:
        self._reading, self._cast, self._words, self._user = reading, cast, words, user
        self._names = Names.of(cast.surfaces(PERSON), cast.surfaces(PLACE))
        self._spoken = frozenset(q.text[i : i + 6] for q in reading.quotes for i in range(len(q.text) - 5))
        self._groups = words.set("groups")

    def points(self, line: Line, order: int) -> list[Point]:
        """The sentence as one point, or none where nothing certain is left of it."""
        point = self._point(line, order)
        return [point] if point else []

    def _point(self, line: Line, order: int) -> Point | None:
        sentence = line.sentence
        if sentence.text.rstrip('”」』"*_ ').endswith(("？", "?")):
            return None
        cut = clause_pieces(sentence, self._reading, self._names, self._words)
        if not cut or len(cut) != len(line.clauses):
            return None
        told: list[_Told] = []
        holder = ""
        follows = supposed = began = False
        for pieces, clause in zip(cut, line.clauses, strict=True):
            one = None if supposed else self._told(pieces, clause, line, holder, told)
            supposed = bool(self._words.pattern("unsure").search(text_of(pieces)))
            if one is not None and follows and told[-1].own and not one.subject and not one.own:
                one = replace(one, needs=True)  # 守夜的打手听见响动，堵住仓门: its subject stands in the clause before
            if one is not None and one.own and began and not follows and not self._names.pattern.search(one.text):
                one = None  # whose it is was said in a clause that is lost
            began = True
            follows = one is not None and (follows or not one.needs) and bool(one.subject or one.own or one.needs)
            if one is not None and follows:
                told.append(one)
                holder = one.subject or holder
        return self._joined(told, sentence, order)

    # --- one clause

    def _told(
        self, pieces: list[Piece], clause: Clause, line: Line, holder: str, before: Sequence[_Told]
    ) -> _Told | None:
        raw = text_of(pieces)
        if MASK in raw or re.search('[“”"「」『』‘’（）()\\[\\]【】{}<>|A-Za-z]', raw):
            return None
        bare = self._words.any_of("texture_exceptions").sub("", raw)
        if self._words.any_of("texture").search(bare) or self._words.pattern("unsure").search(raw):
            return None
        pieces = self._opened(pieces)
        teller = next((t.subject for t in reversed(before) if t.reports), "")
        resolved = self._resolved(pieces, clause, line, teller, holder)
        if resolved is None:
            return None
        subject, rest, named = self._subject(resolved, clause, holder)
        said, reports = self._reported(rest)
        core = condensed(said, self._words) if said is not None else None
        if core is None:
            return None
        text = self._plain(text_of(core))
        text = f"{text}了" if text.endswith(("完成", "办到")) else text
        if not 2 <= len(text) <= _CLAUSE_LIMIT or self._echoes(text):
            return None
        forms = tuple(self._plain(text_of(form)) for form in leaner(core, self._words))
        opening = next((p for p in core if p.tag != "TIME"), core[0])
        own = (
            not subject
            and not opening.word.endswith("时")
            and (opening.tag in _OWN_TAGS | {"PER"} or opening.word.endswith("人"))
        )
        if not named and subject and any(p.word == subject for p in core):
            return None  # 让白赛继续调查: whoever does that, it isn't 白赛
        needs = not named and bool(self._words.pattern("objectless").match(text))
        return _Told(text, subject, self._weight(core, text), named, reports, own, needs, forms)

    def _opened(self, pieces: list[Piece]) -> list[Piece]:
        """The clause without the linking words that open it: 且说, 于是, 然而."""
        linkers = self._words.set("linkers")
        for size in (2, 1):
            if len(pieces) > size and text_of(pieces[:size]) in linkers:
                return self._opened(pieces[size:])
        return pieces

    def _resolved(
        self, pieces: list[Piece], clause: Clause, line: Line, teller: str, holder: str
    ) -> list[Piece] | None:
        """Pronouns turned into names; None where the text doesn't tell whose."""
        me, you = self._me(line.sentence), "" if line.sentence.user else self._user
        out: list[Piece] = []
        skipped = False
        for i, (word, tag) in enumerate(pieces):
            after = pieces[i + 1].word if i + 1 < len(pieces) else ""
            if skipped or tag != "r":
                if not skipped:
                    named = self._cast.title_of(word) if tag == "PER" else "是" if word == "正是" else word
                    out.append(Piece(named, tag))
                skipped = False
                continue
            if word in {"他们", "她们"}:
                out.append(Piece("众人", "n"))
                continue
            if "我们" in word and len(word) > 2:
                return None
            if word == "我们" and me:
                out.append(Piece(f"{me}一行人" if not out else "众人", "PER" if not out else "n"))
                continue
            if word in {"他", "她"} and after == "的" and out:
                skipped = True  # whose it is may be anybody's guess; what it is stays
                continue
            who = {"我": me, "你": you, "您": you}.get(word, "")
            if word in {"他", "她"}:
                who = self._third(out, clause, line, after, teller or holder if after == "的" else teller)
            if (word in _PERSONAL and not who) or after.startswith("们"):
                return None
            if (who and any(p.word == who for p in out)) or (
                who and out and who == clause.subject and (teller or word == "我")
            ):
                who = "自己"
            out.append(Piece(who, "PER") if who else Piece(word, tag))
        return out

    def _third(self, out: list[Piece], clause: Clause, line: Line, after: str, teller: str) -> str:
        if all(p.tag in {"TIME", "c", "d", "ad"} for p in out):
            return clause.subject if after != "的" else teller or line.before
        others = {p.word for p in out if p.tag == "PER"}
        subject = clause.subject
        if teller:
            return teller if teller not in others else ""
        if line.before and line.before != subject and line.before not in others and others <= {subject}:
            return line.before
        return subject if others and subject not in others else ""

    def _me(self, sentence: Sentence) -> str:
        member = self._cast.by_surface.get(sentence.speaker)
        return "" if member is None or member.narrator else member.title

    def _subject(self, pieces: list[Piece], clause: Clause, holder: str) -> tuple[str, list[Piece], bool]:
        """(who acts, the clause without them, whether the clause names them itself)."""
        lead = 0
        while lead < len(pieces) and (pieces[lead].tag in {"TIME", "c", "d", "ad"}):
            lead += 1
        titled = lead
        while (
            titled < min(lead + 3, len(pieces)) and pieces[titled].tag in {"n", "nz"} and len(pieces[titled].word) > 1
        ):
            titled += 1
        if lead < titled < len(pieces) and pieces[titled].tag == "PER":
            pieces = [*pieces[:lead], *pieces[titled:]]  # 县衙主簿何文远: who it is says enough
        head = pieces[lead] if lead < len(pieces) else Piece("", "w")
        after = pieces[lead + 1].word if lead + 1 < len(pieces) else ""
        if head.word in self._groups or (head.tag == "PER" and after not in {"的", "家", "们"}):
            several, until = [head.word], lead + 1
            while until + 1 < len(pieces) and pieces[until].word in _AND and pieces[until + 1].tag == "PER":
                several.append(pieces[until + 1].word)
                until += 2
            return self._words.join(several), [*pieces[:lead], *pieces[until:]], True
        own = head.tag in _OWN_TAGS or (head.tag == "r" and head.word.endswith("人"))
        described = next((i for i in range(1, len(pieces)) if pieces[i].tag == "PER" and pieces[i - 1].word == "的"), 0)
        if (
            described
            and not any(p.tag in NAME_TAGS for p in pieces[:described])
            and pieces[described].word == clause.subject
        ):
            return clause.subject, pieces[described + 1 :], True
        return ("" if own else clause.subject or holder), pieces, False

    def _reported(self, pieces: list[Piece]) -> tuple[list[Piece] | None, bool]:
        """说… → 告知…; what somebody tells without quotation marks is news, a verb of saying is not."""
        tell = self._words.data["telling"]
        for i, (word, tag) in enumerate(pieces):
            if word in tell and tag in {"v", "vd"}:
                to = next((j for j in range(i) if pieces[j].word in {"对", "向", "跟"}), -1)
                whom = pieces[to + 1 : i] if to >= 0 else []
                before = pieces[i - 1] if i else Piece("", "w")
                if any(p.tag != "PER" for p in whom) or (before.tag == "v" and len(before.word) == 1):
                    return None, False  # 报说, 笑说: half of another verb
                lead = [p for p in (pieces[:to] if to >= 0 else pieces[:i]) if p.tag != "TIME"]
                verb = [Piece(tell[word], "v"), *whom]
                if whom and tell[word] != "告知":
                    verb = [Piece("向", "p"), *whom, verb[0]]
                return [*lead, *verb, *pieces[i + 1 :]], i + 1 >= len(pieces) or not whom
        bare = self._words.any_of("speech_exceptions").sub("", text_of(pieces))
        if self._words.any_of("speech").search(bare):
            return None, False
        return pieces, bool(self._words.any_of("disclosing").search(bare))

    def _plain(self, text: str) -> str:
        for word, plain in self._words.data["plain_words"]:
            text = text.replace(word, plain)
        return text

    def _echoes(self, text: str) -> bool:
        return any(text[i : i + 6] in self._spoken for i in range(len(text) - 5))

    def _weight(self, core: Sequence[Piece], text: str) -> float:
        strong, light = self._words.set("weight_verbs"), self._words.set("light_verbs")
        score = 0.0
        for piece in core:
            if piece.tag in {"v", "vd", "vn"}:
                heavy = piece.word in strong or (len(piece.word) > 1 and piece.word[:-1] in strong)
                score = max(score, 3.0 if heavy else 0.0 if piece.word in light else 1.0)
        first = next((p.word for p in core if p.tag in {"v", "vd"}), "")
        if first == "是":
            score = 2.5 if core[-1].tag == "PER" else min(score, 1.0)
        score += 2.0 * bool(self._words.any_of("weight_phrases").search(text))
        names = {p.word for p in core if p.tag in {"PER", "LOC"}}
        things = any(p.tag in _OBJECT_TAGS for p in core)
        return score + 0.7 * min(len(names), 2) + 0.3 * things if score else 0.0

    # --- the sentence

    def _joined(self, told: Sequence[_Told], sentence: Sentence, order: int) -> Point | None:
        kept = self._chosen(told)
        if not kept:
            return None
        kept = kept[1:] if kept[0].own and not self._stands(kept[0], told) else kept
        if not kept:
            return None
        whole = self._said(kept)
        if not whole:
            return None
        ranked = sorted(kept, key=lambda t: -t.weight)
        fewer = [
            kept,
            *(kept[:n] for n in range(len(kept) - 1, 1, -1)),
            *([t] for t in ranked if not t.needs and self._stands(t, told)),
        ]
        others = [self._said(part, lean) for part in fewer for lean in range(5)]
        tail = "" if any(t.reports for t in kept) else next((t.subject for t in reversed(kept) if t.subject), "")
        weight = (
            max(t.weight for t in kept) + 0.5 * sum(t.weight >= 3 for t in kept[1:]) + (0.8 if kept[0].subject else 0)
        )
        return Point(
            whole,
            weight,
            order,
            sentence.unit,
            sentence.text,
            kept[0].subject,
            tuple(o for o in dict.fromkeys(others) if o and o != whole),
            tail,
        )

    def _chosen(self, told: Sequence[_Told]) -> list[_Told]:
        """The weightiest clauses in order, as many as a sentence holds."""
        ranked = sorted((t for t in told if t.weight > 0), key=lambda t: -t.weight)
        kept: list[_Told] = []
        for one in ranked:
            if not one.subject and one.weight < 3:
                continue
            if len(kept) < _MOST_CLAUSES and sum(len(k.text) + 1 for k in kept) + len(one.text) <= _SENTENCE_LIMIT:
                kept.append(one)
        lead = next((t for t in told if t.reports and t not in kept), None)
        if lead is not None and kept and any(told.index(k) > told.index(lead) for k in kept):
            kept.append(lead)
        for at, one in enumerate(told):
            if one.needs and at and any(one is k for k in kept) and not any(told[at - 1] is k for k in kept):
                kept.append(told[at - 1])
        kept = [t for t in told if any(t is k for k in kept)]
        while kept and self._only_tells(kept[-1]):
            kept.pop()
        return kept

    def _stands(self, one: _Told, told: Sequence[_Told]) -> bool:
        """Whether a clause can stand alone: 去向不明 after another clause says nothing of whose."""
        return bool(one.subject) or one is told[0] or self._names.pattern.search(one.text) is not None

    def _only_tells(self, one: _Told) -> bool:
        """告知沈砚: that something was told, with nothing left of what."""
        bare = self._names.pattern.sub("", one.text)
        return one.reports and bare in self._words.data["telling"].values()

    def _said(self, kept: Sequence[_Told], lean: int = 0) -> str:
        """The clauses as one sentence; ``lean`` picks how few words each may do with."""
        if not kept or self._only_tells(kept[-1]):
            return ""
        out, current, teller = "", "", ""
        for one in kept:
            text = one.leaner[lean - 1] if lean else one.text
            said = one.subject if one.subject != current and one.subject != teller else ""
            out = f"{out}{'，' if out else ''}{said}{text}"
            current = one.subject or current
            teller = one.subject if one.reports else teller
        out = self._words.pattern("told_then").sub(r"\g<told>", out, count=1)
        return re.sub("[《》]", "", out).rstrip("，。！？!?…~ ") + "。" if len(out) >= 4 else ""


def merged(points: Sequence[Point], apart: Sequence[str] = (), limit: int = _SENTENCE_LIMIT) -> list[Point]:
    """Neighbouring points of one subject put into one sentence, but for those that say something of ``apart``."""
    out: list[Point] = []
    for point in points:
        last = out[-1] if out else None
        rest = point.text[len(point.subject) :] if point.subject and point.text.startswith(point.subject) else ""
        rest = "" if any(row in point.text for row in apart) else rest
        if last and rest and last.tail == point.subject and len(last.text) + len(rest) <= limit:
            out[-1] = replace(
                last,
                text=f"{last.text[:-1]}，{rest}",
                weight=max(last.weight, point.weight),
                others=(),
                tail=point.tail,
            )
            continue
        out.append(point)
    return out
