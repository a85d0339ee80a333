"""Words for a thread: a short title that a later event answers with yes or no, and a note that says when it's over."""

from __future__ import annotations

import re
from functools import lru_cache

from talekeeper.agents.builtin.tagger import tag
from talekeeper.agents.builtin.words import Words, any_word, words_for
from talekeeper.memory.models import Language

TITLE_LIMIT = {"zh": 10, "en": 8}
_NOTE_LIMIT = {"zh": 80, "en": 50}
_SPLIT_VERBS = {
    "送到": "送{o}到{r}",
    "交给": "交{o}给{r}",
    "交到": "交{o}到{r}",
    "送给": "送{o}给{r}",
    "带回": "带{o}回{r}",
}
_SPLIT_VERBS |= {
    "还给": "还{o}给{r}",
    "送回": "送{o}回{r}",
    "带到": "带{o}到{r}",
    "送往": "送{o}往{r}",
    "送去": "送{o}去{r}",
}
_WEAK_EN = frozenset(
    [
        "the",
        "a",
        "an",
        "to",
        "of",
        "in",
        "on",
        "at",
        "for",
        "with",
        "and",
        "his",
        "her",
        "their",
        "its",
        "it",
        "him",
        "them",
        "by",
        "from",
        "that",
        "this",
        "who",
        "is",
        "was",
        "be",
        "safely",
        "before",
        "until",
        "again",
        "back",
        "home",
        "find",
        "deliver",
        "bring",
        "carry",
        "guard",
        "protect",
        "keep",
        "take",
        "search",
        "return",
        "watch",
        "mend",
        "pay",
        "repair",
        "help",
        "whereabouts",
        "where",
        "would",
        "will",
    ]
)
_NOTES = {
    "嘱托": "{a}嘱托{b}{t}；此事办到即为了结。",
    "承诺": "{a}答应{b}{t}；此事办到即为了结。",
    "誓言": "{a}立誓{t}；誓愿达成即为了结。",
    "约定": "{a}与{b}约定{t}；如期做到即为了结。",
    "任务": "{a}着手{t}；事成即为了结。",
    "下落": "{g}去向不明；找到其人或确知结局即为了结。",
    "身份": "{people}尚不知情，需{t}；真相查明即为了结。",
    "charge": "{a} charged {b} to {g}; resolved once that is done.",
    "promise": "{a} promised {b} to {g}; resolved once that is done.",
    "oath": "{a} swore to {g}; resolved once the oath is fulfilled.",
    "task": "{a} set out to {g}; resolved once that succeeds.",
    "whereabouts": "{g} is missing; resolved once {g} is found or the end of the matter is known.",
    "riddle": "{people} does not know {g}; resolved once the answer is known.",
}


def goal_title(goal: str, kind: str, doer: str, other: str, words: Words) -> str:
    """A title for ``goal``, or nothing when it can't be said within the limit or names nothing concrete."""
    if kind in {"下落", "whereabouts"}:
        title = words.text("missing_title").format(goal=goal)
    elif words.language == "zh":
        title = _title_zh(goal, kind, doer, other, words)
    else:
        title = _title_en(goal, kind, words)
    return title if title and keywords(title, words) and _fits(title, words) else ""


def _fits(title: str, words: Words) -> bool:
    if words.language == "zh":
        return 4 <= len(title) <= TITLE_LIMIT["zh"]
    return 2 <= len(title.split()) <= TITLE_LIMIT["en"]


def _title_zh(goal: str, kind: str, doer: str, other: str, words: Words) -> str:
    text = re.split("|".join(words.list("goal_cuts")), goal.strip(" ，、*"))[0]
    if re.search("[他她它我你]们|自己", text):
        return ""
    for filler in sorted(words.list("goal_fillers"), key=len, reverse=True):
        if len(filler) > 1:
            text = text.replace(filler, "")
    text = re.sub("^(?:要|会|去|来|能)+|[了好的吧呢啊里上中]+$", "", text)
    text = text.replace("我", doer).replace("你", other)
    if re.search("[他她它我你]", text):
        text = re.sub("[他她]", other or doer, text) if other or doer else ""
    if kind == "身份":
        text = f"查明{re.sub('^(?:这|那)(?:个|封)?', '', text)}"
    split = re.fullmatch(
        r"(?:把|将|替)(?P<o>[^到给回往去]{1,5}?)(?P<v>送到|交给|交到|送给|带回|还给|送回|带到|送往|送去)(?P<r>.{1,8})",
        text,
    )
    if split:
        text = _SPLIT_VERBS[split["v"]].format(o=split["o"], r=split["r"])
    return text


def _title_en(goal: str, kind: str, words: Words) -> str:
    text = re.split(r"\s(?:" + "|".join(words.list("goal_cuts")) + r")\b", goal.strip(" ,*"))[0]
    for filler in words.list("goal_fillers"):
        text = re.sub(rf"\s{re.escape(filler)}\b", "", text)
    if kind == "riddle":
        text = f"learn {text}"
    parts = text.split()
    if len(parts) > TITLE_LIMIT["en"]:
        cuts = [
            i
            for i in range(3, TITLE_LIMIT["en"] + 1)
            if parts[i]
            in {
                "before",
                "after",
                "until",
                "when",
                "while",
                "so",
                "and",
                "with",
                "in",
                "by",
                "from",
                "for",
                "at",
                "on",
                "to",
                "no",
                "that",
            }
        ]
        parts = parts[: cuts[-1]] if cuts else []
    if not parts or re.search(r"\b(?:it|them|that|this|him|her|me|you)$", " ".join(parts)):
        return ""
    title = " ".join(parts)
    return title[:1].upper() + title[1:]


def missing_name(title: str, words: Words) -> str:
    """Whose whereabouts a title asks for; empty for any other title."""
    before, after = words.text("missing_title").split("{goal}")
    held = title.startswith(before) and title.endswith(after)
    return title[len(before) : len(title) - len(after)] if held else ""


def note_for(title: str, kind: str, doer: str, other: str, people: tuple[str, ...], words: Words) -> str:
    """The note: the fact, the people, and when it counts as resolved; empty when it can't say all three."""
    goal = title[:1].lower() + title[1:] if words.language == "en" else title
    goal = re.sub("^(?:whereabouts of|learn) ", "", goal)
    if kind in {"下落", "whereabouts"}:
        goal = missing_name(title, words)
    form = _NOTES[kind]
    if ("{a}" in form and not doer) or not people:
        return ""
    if kind in {"约定"} and not other:
        return ""
    note = form.format(a=doer, b=other, t=title, g=goal, people=words.join(people))
    note = re.sub(r" {2,}", " ", note)
    length = len(note) if words.language == "zh" else len(note.split())
    return note if length <= _NOTE_LIMIT[words.language] else ""


def endings(title: str, words: Words) -> re.Pattern[str]:
    """The verbs that end a matter of this title's kind."""
    if missing_name(title, words):
        return words.any_of("found_signs")
    low = title.lower()
    for openers, enders in words.data["completion_families"]:
        if low.startswith(tuple(openers)) or (words.language == "zh" and any(len(o) > 1 and o in low for o in openers)):
            return any_word(tuple(enders), words.language)
    return words.any_of("completion")


def keywords(title: str, words: Words) -> tuple[str, ...]:
    """The words of a title that a sentence about the same matter must share: names and things, folded to lower case."""
    return _keywords(title, words.language)


@lru_cache(maxsize=1024)
def _keywords(title: str, language: Language) -> tuple[str, ...]:
    if language == "en":
        found = [w for w in re.findall(r"[a-z][a-z'-]+", title.lower()) if w not in _WEAK_EN and len(w) > 2]
        return tuple(dict.fromkeys(re.sub(r"'s$", "", w) for w in found))
    verbs = words_for("zh").set("goal_verbs")
    found = []
    for token in tag(title):
        if token.tag in {"n", "nz", "PER", "LOC", "ORG", "nw", "vn", "s"} and token.word not in verbs:
            found.append(token.word)
    found = [w for w in found if w not in {"下落", "身份", "真相", "人", "事"}]
    if not found:  # the tagger knows none of its words: an invented name, most likely
        rest = any_word(tuple(verbs), "zh").sub("", title).strip("的了住好")
        found = [rest] if len(rest) > 1 else []
    return tuple(dict.fromkeys(found))
