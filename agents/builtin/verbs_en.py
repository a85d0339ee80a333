"""English verb forms: ``I step`` → ``Silas stepped`` or ``Silas steps``, for verbs whose forms the lexicon knows.

A verb that isn't known is no verb here; whoever asks gets nothing and drops the clause.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from talekeeper.agents.builtin.words import words_for

Tense = Literal["past", "present"]


def third_person(verb: str, tense: Tense) -> str | None:
    """The form of ``verb`` after a name; a past form stays, None where the word isn't a verb that is known."""
    low = verb.lower()
    if low in _pasts():
        return low
    if low in {"have", "am", "do"}:
        return {"have": "has", "am": "is", "do": "does"}[low] if tense == "present" else None
    if low not in _bases():
        return None
    return past(low) if tense == "past" else present(low)


def is_past(verb: str) -> bool:
    """Whether the word is a past form that can't be read as anything else here."""
    acts = words_for("en").set("weight_verbs")
    return (verb in _pasts() and verb not in _bases() | {"was", "had", "did"}) or (verb.endswith("ed") and verb in acts)


def is_base(verb: str) -> bool:
    return verb in _bases()


def past(base: str) -> str:
    irregular = words_for("en").data["irregular"]
    if base in irregular:
        return str(irregular[base])
    if base.endswith("e"):
        return f"{base}d"
    if re.search("[^aeiou]y$", base):
        return f"{base[:-1]}ied"
    if base in words_for("en").set("doubled"):
        return f"{base}{base[-1]}ed"
    return f"{base}ed"


def present(base: str) -> str:
    if base in {"have", "be"}:
        return {"have": "has", "be": "is"}[base]
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{base}es"
    if re.search("[^aeiou]y$", base):
        return f"{base[:-1]}ies"
    return f"{base}s"


@cache
def _bases() -> frozenset[str]:
    words = words_for("en")
    return words.set("base_verbs") | frozenset(words.data["irregular"])


@cache
def _pasts() -> frozenset[str]:
    words = words_for("en")
    known = frozenset(past(base) for base in words.set("base_verbs"))
    return known | frozenset(words.data["irregular"].values()) | {"was", "had", "did"}
