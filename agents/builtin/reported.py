"""What a chat partner tells of themselves, in the third person: I went to … → Joanna went to …"""

from __future__ import annotations

import re

from talekeeper.agents.builtin.cast import Cast
from talekeeper.agents.builtin.point import Point
from talekeeper.agents.builtin.sentences import Sentence, clauses
from talekeeper.agents.builtin.verbs_en import third_person
from talekeeper.agents.builtin.words import Words

_LATER_I = re.compile(r"(?:,|,\s(?:and|but|so)|!\s(?:And|But|So))\s(?=I(?:['’]|\s))")
_ASKING = ("?", "？", "吗", "呢？", "吧？", "吗。", "呢")


def reported(sentence: Sentence, order: int, cast: Cast, words: Words) -> Point | None:
    """The sentence as a point; None where it tells nothing of its speaker that lasts beyond the talk."""
    member = cast.by_surface.get(sentence.speaker)
    text = sentence.text.strip()
    if member is None or member.narrator or (words.language == "en" and text.endswith("?")):
        return None
    other = next((m.title for m in cast.persons if m.speaks and m.title != member.title), "")
    if words.language == "zh":
        told = _zh(text, member.title, other, words)
    else:
        starts = [0, *(m.end() for m in _LATER_I.finditer(text))]
        told = next((t for at in starts if (t := _en(text[at:], member.title, other, words))), None)
    if told is None:
        return None
    whole, weight = told
    return Point(whole, weight, order, sentence.unit, sentence.text, member.title)


def _zh(text: str, name: str, other: str, words: Words) -> tuple[str, float] | None:
    parts = clauses(text, words)
    if text.endswith(_ASKING):
        parts = parts[:-1]  # what leads up to a question is still told
    for i, part in enumerate(parts):
        bare = words.pattern("time_openers").sub("", part)
        bare = re.sub("[呢啊呀哦哈啦嘛]+$", "", bare.rstrip("。！!~ "))
        advice = words.pattern("advice").search(bare)
        if advice and other and name != other:
            goal = re.sub("[你您]", "", advice["goal"]).strip("的了吧哦呢 ")
            if 2 <= len(goal) <= 20 and not re.search("[我吗什么怎]", goal):
                return f"{name}建议{other}{goal}。".replace("《", "").replace("》", ""), 1.5
        match = words.pattern("self_report").match(bare)
        if not match or re.search("[你您吗呢？]", bare) or words.pattern("small_talk").search(bare):
            continue
        out = (
            words.pattern("report_fillers")
            .sub("", re.sub("^(?:很|挺|也|就)+", "", bare[1:]))
            .replace("我们", "众人")
            .replace("我", "自己")
        )
        after = parts[i + 1] if i + 1 < len(parts) else ""
        after = words.pattern("report_fillers").sub("", re.sub("^(?:还|也|并且|然后)", "", after))
        usable = after and not re.search("[你您我他她它吗呢？]|觉得|感觉|所以|不过|但|很|真|特别|这|那", after)
        if usable and words.pattern("report_verbs").match(after) and len(name) + len(out) + len(after) <= 36:
            out = f"{out}，{after}"
        if 3 <= len(out) <= 34 and not re.search("^(?:很|得|也|会)|的$|(?:它|这些|那些|这个|那个|这样|那样)", out):
            told = re.sub('[《》“”"]', "", f"{name}{out}").rstrip("，。！？!?…~ ")
            return f"{told}。", 3.0 if words.pattern("lasting_report").match(out) else 2.0
    return None


def _en(text: str, name: str, other: str, words: Words) -> tuple[str, float] | None:
    opener = re.compile(words.text("time_openers"), re.IGNORECASE)
    bare = opener.sub("", opener.sub("", text))
    shifted = _third(bare, name, words)
    if shifted is None or re.search(r"\byou(?:r|'re|'ll)?\b|[\"“”]", shifted, re.IGNORECASE):
        return None
    cut = re.split(
        r"\s(?:and|but|so|because|'cause|since)\s(?:it|I|we|they|that|he|she|now)\b|\s?[-–—]\s|[;:!]|,\s(?!and\b)",
        shifted,
    )[0]
    cut = words.pattern("fillers").sub("", cut).strip(" ,.!?…~-")
    cut = re.sub(r"\bmyself\b", "themselves", re.sub(r"\b[Mm]y\b", "their", re.sub(r"\bme\b", "them", cut)))
    cut = re.sub(r"\bour\b", "their", re.sub(r"\bus\b", "them", cut))
    cut = re.sub(rf"[,\s]+{re.escape(other)}$", "", cut) if other else cut  # the one spoken to
    size = len(cut.split())
    if not 4 <= size <= 22 or re.search(r"\bI\b|\bI['’]|\b[Ww]e\b|\b[Ww]e['’]", cut):
        return None
    if re.search(
        r"\b(?:on|of|to|with|for|about) for\b|\b(?:been|is) (?:doing|feeling|going) (?:great|well|good|okay|ok)\b", cut
    ):
        return None
    if re.search(r"\b(?:it|that|this|them|those|these|one|there|so|too)$", cut):
        return None
    if re.search(r"^\S+(?:\s\S+){1,3}\s(?:it|that|this|those|these)\b", cut):
        return None
    if words.pattern("small_talk").search(cut):
        return None
    strong = words.any_of("weight_verbs").search(cut) or words.pattern("lasting_report").search(cut)
    return f"{cut}.", 3.0 if strong else 1.8


def _third(text: str, name: str, words: Words) -> str | None:
    """A statement that opens with I, told of ``name``; None for anything else."""
    for pattern, form in words.data["first_person"]:
        match = re.match(pattern, text)
        if match:
            return re.sub(r"\s{2,}", " ", form.format(name=name) + text[match.end() :])
    match = re.match(
        r"I\s(?:(?:just|also|finally|recently|already|even|actually|really|still|totally)\s)*(?P<verb>[a-z]+)\b", text
    )
    if match is None:
        return None
    verb = match["verb"]
    form = third_person(verb, "present")
    if form is None or (form != verb and verb not in words.set("lasting_verbs")):
        return None
    return f"{name} {form}{text[match.end() :]}"
