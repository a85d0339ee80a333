"""A voice that costs nothing, so that a benchmark sees what a dispatch costs besides its voice.

It decides SKIP on everything and writes one fixed, valid sentence; only the unit's number changes.
"""

from __future__ import annotations

from collections.abc import Mapping

from talekeeper.agents.protocols import (
    Appearance,
    Briefing,
    EventDraft,
    FactPlan,
    GroupBriefing,
    LinkOp,
    ProposedName,
    RollupDraft,
    Voices,
)
from talekeeper.memory.models import NameMatch
from talekeeper.rules.model import Violation
from talekeeper.rules.subjects import ActiveThreadEntry, EntityEntry, RollCall

_NO_CHANGE = "本轮只核对账册，一天之后身份、目标与物品都不变"
_THOUGHT = """Step 1a
- {ref}: 核对账册
Step 1b
- 主题 {ref}: 核对账册
Step 2 初稿
{prose}
Step 3 单句判定
(1) 事实｜单句｜删去后会把{ref}的账册算到别人头上｜保留
Step 3 终稿
{prose}
Step 4 sections 判定
没有候选行，核对账册不留永久改变
Step 5 黑名单扫描
B1 无；B2 无；B3 无；B4 无；B5 无；B6 无；B7 无；B8 无；B9 无；B10 无
Step 6
自检: 与字段逐字节相同
最终 prose:
{summary}"""


class CannedVoice:
    """All four roles at once."""

    def propose_names(self, briefing: Briefing) -> tuple[ProposedName, ...]:
        return ()

    def call(self, briefing: Briefing, violations: tuple[Violation, ...] = ()) -> RollCall:
        entries = [(seen.type, _skip(seen)) for seen in briefing.appearing]
        return RollCall(
            characters=tuple(entry for type_, entry in entries if type_ == "character_sheet"),
            locations=tuple(entry for type_, entry in entries if type_ == "location_state"),
            active_threads=tuple(
                ActiveThreadEntry(thread.id, thread.title, "SKIP", "本轮 event 没有触及它的目标")
                for thread in briefing.active_threads
            ),
            said_no_active=not briefing.active_threads,
        )

    def plan(self, briefing: Briefing, roll_call: RollCall, violations: tuple[Violation, ...] = ()) -> FactPlan:
        return FactPlan()

    def write(
        self,
        briefing: Briefing,
        roll_call: RollCall,
        written: Mapping[str, str],
        violations: tuple[Violation, ...] = (),
    ) -> EventDraft:
        unit = briefing.batch[0]
        prose = f"顾青与沈砚在听雪楼核对第{unit.turn}册账目。"
        day, minute = divmod(unit.turn, 1440)
        time = f"2157-{1 + day // 28:02d}-{1 + day % 28:02d} {minute // 60:02d}:{minute % 60:02d}"
        summary = f"时间: {time}\n地点: 听雪楼\n\n{prose}"
        links = [LinkOp("@event", _relation(match.type), match.node_id) for match in _hits(briefing)]
        thought = _THOUGHT.format(ref=unit.ref, prose=prose, summary=summary)
        return EventDraft(thought, summary, f"核对第{unit.turn}册账目", tuple(links))

    def compact(self, group: GroupBriefing, violations: tuple[Violation, ...] = ()) -> RollupDraft:
        first = min(child.time_from or "" for child in group.children)
        last = max(child.time_to or "" for child in group.children)
        summary = f"时间: {first} 至 {last};\n1) 顾青核对账目"
        prose = "顾青核对账目"
        ref = "、".join(child.id for child in group.children)
        return RollupDraft(_THOUGHT.format(ref=ref, prose=prose, summary=summary), summary)


def _skip(seen: Appearance) -> EntityEntry:
    return EntityEntry(
        name=seen.name,
        title_hits=tuple(m.node_id for m in seen.matches if m.via == "title"),
        alias_hits=tuple(m.node_id for m in seen.matches if m.via == "alias"),
        decision="SKIP",
        reason=_NO_CHANGE,
    )


def _hits(briefing: Briefing) -> list[NameMatch]:
    unique = {match.node_id: match for seen in briefing.appearing for match in seen.matches}
    return [unique[node_id] for node_id in sorted(unique)]


def _relation(type_: str) -> str:
    return "occurred_at" if type_ == "location_state" else "involved_in"


def canned_voices() -> Voices:
    """Voices for a benchmark."""
    voice = CannedVoice()
    return Voices(voice, voice, voice, voice, "canned", "canned-1")
