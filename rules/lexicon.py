"""The words that rules know, one pack a language.

Word lists are data (``packs/zh.yaml``, ``packs/en.yaml``); this module gives them a type, so that a misspelt key fails
when the pack is read and not when a story meets it. A story adds to the lists with ``Lexicon.extended``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from talekeeper.memory.errors import SchemaError
from talekeeper.memory.models import Language
from talekeeper.rules.word_class import WordClass, WordClasses

Words = tuple[str, ...]


class _Pack(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


class Labels(_Pack):
    """Headings of events, outlines and thoughts; the first of each list is the one that code writes."""

    time: Words
    place: Words
    irreversible: Words
    open_threads: Words
    excerpts: Words
    interval: Words
    final: Words
    self_check: Words


class RollCallLabels(_Pack):
    """Headings of the roll-call; the first of each list is the one that code writes."""

    header: Words
    characters: Words
    locations: Words
    threads: Words
    active: Words
    name: Words
    lookup: Words
    title_hits: Words
    alias_hits: Words
    decision: Words
    changes: Words
    reason: Words
    category: Words
    into: Words
    empty: Words
    no_active: Words


class BriefWords(_Pack):
    """The closing sentence: templates that compose it and words that it is read by."""

    nothing: str
    written: str
    one_group: str
    groups: str
    joint: str
    create: Words
    edit: Words
    delete: Words
    group_words: Words


class Punctuation(_Pack):
    """How messages quote, list and name what is absent."""

    open: str
    close: str
    list: str
    blank: str
    none: str
    end: str
    line_break: str


class Lexicon(_Pack):
    """All word lists of one language. Minutes of ``clock`` count from midnight and may run past 1439 (the small hours
    that belong to the evening before); months of ``seasons`` are those of the language's own calendar."""

    language: Language
    labels: Labels
    roll_call: RollCallLabels
    steps: tuple[Words, ...]
    placeholder_times: Words
    vague_times: Words
    calendar_words: Words
    placeholder_places: Words
    vague_places: Words
    vague_place_openers: Words
    generic_places: Words
    flashback_marks: Words
    quote_pairs: Words
    straight_quotes: Words
    title_marks: Words
    sentence_ends: Words
    bullet_marks: Words
    empty_rows: Words
    clause_limit: int
    rank_prefixes: Words
    species_prefixes: Words
    faction_suffixes: Words
    dotted_faction_suffixes: Words
    surnames: str
    compound_surnames: Words
    transliteration: str
    latin_honorifics: Words
    bilingual_suffixes: Words
    brackets: str
    stop_roles: Words
    stream_words: Words
    visit_traces: Words
    personified_scenes: Words
    stream_free: Words
    temporary_words: Words
    temporary_free: Words
    vague_thread_endings: Words
    vague_thread_openers: Words = ()
    vague_thread_free: Words
    bare_invitations: Words
    condition_marks: Words
    open_statuses: Words
    closed_statuses: Words
    identity_columns: Words
    shorthand_names: Words
    vague_reasons: Words
    vague_skips: Words
    elisions: Words
    all_marks: Words
    keep_words: Words
    cut_words: Words
    consequence_marks: Words
    vague_consequences: Words
    consequence_fillers: Words
    yes_words: Words
    no_words: Words
    none_words: Words
    rewrite_marks: Words
    hit_marks: Words
    brief: BriefWords
    punctuation: Punctuation
    clock: Mapping[str, tuple[int, int]]
    pm_words: Words
    seasons: Mapping[str, tuple[int, int]]
    units: Mapping[str, str]
    months: Mapping[str, int] = {}
    numbers: Mapping[str, int] = {}
    common_era: Words
    calendar_stops: Words
    dialogue_pairs: Words
    plain_characters: str
    plain_words: Words
    common_phrases: Words
    carrier_words: Words
    row_limit: int
    machine_scripts: str
    change_groups: tuple[Words, ...]
    name_titles: Words
    clear_surnames: str
    motion_verbs: Words
    town_endings: str
    plain_place_parts: Words
    name_openers: str
    name_followers: str
    common_starts: Words
    plain_capitals: Words
    completion_words: Words
    negation_words: Words
    lasting_marks: Words
    works_words: Words = ()
    irregular_words: Mapping[str, str] = {}
    classes: WordClasses

    @field_validator("classes", mode="before")
    @classmethod
    def _classes(cls, given: Any) -> WordClasses:
        if isinstance(given, WordClasses):
            return given
        return WordClasses({name: WordClass.model_validate(entry) for name, entry in given.items()})

    def extended(self, words: Mapping[str, Sequence[str]]) -> Lexicon:
        """This pack with more words in some of its lists and classes (``B4: [词, "!词", "=短语"]``).

        Raises:
            SchemaError: a key that is no list of words, or words that are no text.
        """
        lists = {name for name, info in type(self).model_fields.items() if info.annotation == Words}
        classes = set(self.classes.classes)
        strangers = sorted(set(words) - lists - classes)
        if strangers:
            known = ", ".join(sorted(lists | classes))
            raise SchemaError(f"No word list named {', '.join(strangers)}.", hint=f"Lists: {known}.")
        merged: dict[str, Any] = {name: (*getattr(self, name), *words[name]) for name in set(words) & lists}
        merged["classes"] = self.classes.extended({name: words[name] for name in set(words) & classes})
        try:
            return Lexicon.model_validate({**dict(self), **merged})
        except ValidationError as error:
            raise SchemaError(f"Word lists: {error}") from error


@cache
def lexicon(language: Language) -> Lexicon:
    """The language's own pack."""
    return Lexicon.model_validate(read_pack(f"{language}.yaml"))


def read_pack(name: str) -> Any:
    """The content of one YAML file of the packs folder."""
    text = resources.files("talekeeper.rules").joinpath("packs", name).read_text("utf-8")
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
