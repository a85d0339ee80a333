"""One dispatch and whole runs: exactly one event a unit, bounded repair, resume after a break, the same twice."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from talekeeper.agents.protocols import Archivist, Briefing, EventDraft, FactPlan, NodeOp, Scribe, Voices
from talekeeper.agents.voices import resolve_voice
from talekeeper.graph.audit import audit
from talekeeper.graph.desk import open_desk
from talekeeper.graph.reports import DispatchReport, Progress
from talekeeper.graph.runner import adispatch, curate, dispatch, plan
from talekeeper.memory.errors import InputError, ModelError, StoryLocked
from talekeeper.memory.models import Commit, CommitDraft, Language, UnitDraft
from talekeeper.memory.story import Story
from talekeeper.rules.model import Violation
from talekeeper.rules.subjects import RollCall
from talekeeper.tools.session import DispatchSession
from tests.stories import drafts, story

LANGUAGES: tuple[Language, ...] = ("zh", "en")


@dataclass
class Stubborn:
    """A scribe whose first ``refusals`` drafts break E3 (quotation marks); it keeps what it was told."""

    inner: Scribe
    refusals: int
    told: list[tuple[Violation, ...]] = field(default_factory=list)

    def write(
        self,
        briefing: Briefing,
        roll_call: RollCall,
        written: Mapping[str, str],
        violations: tuple[Violation, ...] = (),
    ) -> EventDraft:
        self.told.append(violations)
        draft = self.inner.write(briefing, roll_call, written, violations)
        if len(self.told) > self.refusals:
            return draft
        quoted = draft.summary + ("他说：“走吧。”" if briefing.language == "zh" else ' She said "go".')
        return replace(draft, summary=quoted, thought=draft.thought.replace(draft.summary, quoted))


def _voices(language: Language, refusals: int) -> tuple[Voices, Stubborn]:
    built_in = resolve_voice("builtin", language)
    scribe = Stubborn(built_in.scribe, refusals)
    return replace(built_in, scribe=scribe, name="stubborn", fingerprint=f"stubborn-{refusals}"), scribe


def _events(made: Story) -> list[str]:
    return [str(node.fields["summary"]) for node in made.reader().events(None, leaves=True)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_turn_has_exactly_one_event_and_the_audit_is_clean(tmp_path: Path, language: Language) -> None:
    with story(tmp_path, language) as made:
        report = curate(made)
        assert len(report.reports) == made.unit_count() == 9
        assert report.left == 0
        assert len(_events(made)) == 9
        assert not made.uncurated()
        assert {unit for r in report.reports for unit in r.units} == {unit.ref for unit in made.units()}
        checked = audit(made.library)
        assert checked.problems == ()
        assert [v for _, _, v in checked.violations if v.severity == "hard"] == []
        assert checked.checked["thoughts"] >= 9


@pytest.mark.parametrize("language", LANGUAGES)
def test_rollups_come_when_they_are_due_and_hide_their_children(tmp_path: Path, language: Language) -> None:
    with story(tmp_path, language) as made:
        reports = curate(made).reports
        rollups = [made.reader().node(node_id) for report in reports for node_id in report.rollups]
        assert [node.depth for node in rollups] == [1, 1]
        assert len(made.reader().children(rollups[0].id)) == 3
        assert len(made.reader().events(None)) == 9 - 6 + 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_input_gives_the_same_memory(tmp_path: Path, language: Language) -> None:
    seen = []
    for name in ("one", "two"):
        with story(tmp_path / name, language) as made:
            curate(made)
            nodes = made.reader().list_nodes(include_rolled_up=True)
            seen.append([(n.id, n.title, dict(n.fields), n.parent, n.depth) for n in nodes])
    assert seen[0] == seen[1]


def test_a_second_run_has_nothing_to_do(tmp_path: Path) -> None:
    with story(tmp_path, turns=3) as made:
        assert len(plan(made).units) == 3
        curate(made)
        assert plan(made).nothing_to_do
        assert curate(made).reports == ()
        assert made.head_seq == 3


def test_the_same_batch_twice_is_one_dispatch(tmp_path: Path) -> None:
    with story(tmp_path, turns=2) as made:
        unit = made.units()[0]
        first = dispatch(made, [unit])
        assert dispatch(made, [unit]) == first
        assert asyncio.run(adispatch(made, [unit])) == first
        assert len(_events(made)) == 1


def test_another_voice_may_not_curate_a_unit_again(tmp_path: Path) -> None:
    with story(tmp_path, turns=1) as made:
        dispatch(made, made.units())
        voices, _ = _voices("zh", 0)
        with open_desk(made, voices=voices) as desk, pytest.raises(InputError, match="u1 of 'test story' is curated"):
            desk.run(made.units())


def test_an_empty_batch_is_refused(tmp_path: Path) -> None:
    with story(tmp_path, turns=1) as made, pytest.raises(InputError, match="at least one unit"):
        dispatch(made, [])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("refusals", [1, 2])
def test_a_refused_draft_is_asked_again_with_its_violations(tmp_path: Path, language: Language, refusals: int) -> None:
    voices, scribe = _voices(language, refusals)
    with story(tmp_path, language, 1) as made, open_desk(made, voices=voices) as desk:
        report = desk.run(made.units())
        assert len(scribe.told) == refusals + 1
        assert scribe.told[0] == ()
        assert "E3" in {v.rule for v in scribe.told[-1]}
        assert report.flags == ()
        assert len(_events(made)) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_after_three_refusals_the_built_in_voice_takes_over_and_flags(tmp_path: Path, language: Language) -> None:
    voices, scribe = _voices(language, 99)
    with story(tmp_path, language, 1) as made, open_desk(made, voices=voices) as desk:
        report = desk.run(made.units())
        assert len(scribe.told) == 3
        assert report.flags == ("needs_review",)
        assert "E3" in {v.rule for v in report.violations}
        assert len(_events(made)) == 1
        [commit] = made.reader().commits()
        assert "needs_review" in commit.meta["flags"]


def test_a_broken_run_goes_on_from_its_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    with story(tmp_path, turns=2) as made:
        unit = made.units()[0]
        with open_desk(made) as desk:
            monkeypatch.setattr(Story, "commit", _broken)
            with pytest.raises(ConnectionAbortedError):
                desk.run([unit])
            monkeypatch.undo()
            assert _events(made) == []
            assert [refs for _, refs in made.pending_dispatches()] == [("u1",)]
            [report] = desk.finish_pending(steps.append)
        assert steps[0] == "commit"
        assert "write_event" not in steps
        assert report.units == ("u1",)
        assert made.pending_dispatches() == []
        assert len(_events(made)) == 1


def _broken(self: Story, draft: Any) -> Any:
    raise ConnectionAbortedError


def test_a_break_after_the_commit_writes_nothing_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = Story.commit

    def commits_then_breaks(self: Story, draft: Any) -> Any:
        commit(self, draft)
        raise ConnectionAbortedError

    with story(tmp_path, turns=1) as made:
        monkeypatch.setattr(Story, "commit", commits_then_breaks)
        with pytest.raises(ConnectionAbortedError):
            dispatch(made, made.units())
        monkeypatch.undo()
        report = curate(made)
        assert report.resumed == 1
        assert len(_events(made)) == 1
        assert made.head_seq == 1
        assert report.reports[0].counts["event create"] == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_edited_turn_has_one_event_again_and_its_rollup_is_made_anew(tmp_path: Path, language: Language) -> None:
    texts = {"zh": "林晚拒绝了沈舟，把信扔进炉火。", "en": "Mara refused Daniel and threw the letter into the fire."}
    with story(tmp_path, language) as made:
        first_run = curate(made)
        old_event = first_run.reports[1].event_id
        stale = first_run.reports[5].rollups[0]
        assert old_event in {child.id for child in made.reader().children(stale)}
        edited = drafts(language)
        reply = replace(edited[1].messages[1], text=texts[language], raw=texts[language])
        edited[1] = UnitDraft("turn", (edited[1].messages[0], reply), source="test")
        assert [unit.ref for unit in made.add_units(edited).changed] == ["u2.2"]
        [report] = curate(made).reports
        reader = made.reader()
        told = [event.evidence[0].unit for event in reversed(reader.events(None, leaves=True))]
        assert told == ["u1", "u2.2", "u3", "u4", "u5", "u6", "u7", "u8", "u9"]
        assert reader.node(old_event).lifecycle == "superseded"
        assert reader.node(stale).lifecycle == "superseded"
        assert [child.id for child in reader.children(report.rollups[0])][1] == report.event_id
        assert audit(made.library).clean
        assert [e.evidence[0].unit for e in made.reader(at=1).events(None, leaves=True)] == ["u1"]


def test_an_edited_turn_goes_on_from_the_turn_before_it(tmp_path: Path) -> None:
    with story(tmp_path) as made:
        curate(made)
        edited = drafts("zh")
        edited[1] = UnitDraft("turn", edited[1].messages[:1], source="test")
        made.add_units(edited)
        [report] = curate(made).reports
        summary = str(made.reader().node(report.event_id).fields["summary"])
        assert summary.startswith("时间: 2157-01-15"), "not the time of the newest event"


def test_lost_checkpoints_cost_nothing_once_the_facts_are_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = Story.commit

    def commits_then_breaks(self: Story, draft: CommitDraft) -> Commit:
        commit(self, draft)
        raise ConnectionAbortedError

    with story(tmp_path, turns=6) as made:
        curate(made, end=5)
        monkeypatch.setattr(Story, "commit", commits_then_breaks)
        with pytest.raises(ConnectionAbortedError):
            dispatch(made, made.units()[5:])
        monkeypatch.undo()
        for file in made.library.path.glob("checkpoints.db*"):
            file.unlink()
        [report] = curate(made).reports
        assert report.counts["event create"] == 1
        assert report.counts["groups"] == len(report.rollups) == 1
        assert len(_events(made)) == 6
        assert audit(made.library).clean


@dataclass(frozen=True)
class Overreaching:
    """An archivist that adds one impossible write (an unknown column) to every plan."""

    inner: Archivist

    def plan(self, briefing: Briefing, roll_call: RollCall, violations: tuple[Violation, ...] = ()) -> FactPlan:
        plan = self.inner.plan(briefing, roll_call, violations)
        name = briefing.batch[0].messages[0].name
        wrong = NodeOp("create", "character_sheet", name, set_fields={"mood": "calm"})
        return replace(plan, nodes=(wrong, *(op for op in plan.nodes if op.title != name)))


def test_a_turn_is_not_lost_over_facts_that_nobody_can_write(tmp_path: Path) -> None:
    built_in = resolve_voice("builtin", "zh")
    voices = replace(built_in, archivist=Overreaching(built_in.archivist), name="over", fingerprint="over-1")
    with story(tmp_path, turns=1) as made, open_desk(made, voices=voices) as desk:
        desk._context = replace(desk._context, fallback=voices)
        report = desk.run(made.units())
        assert report.flags == ("needs_review",)
        assert "N1" in {violation.rule for violation in report.violations}
        assert len(_events(made)) == 1
        titles = {node.title for node in made.reader().list_nodes(["character_sheet", "location_state"])}
        assert "林晚" not in titles, "the refused write is not there"
        assert {"沈舟", "听雪楼"} <= titles, "what could be written is"


def test_one_desk_at_a_time(tmp_path: Path) -> None:
    with story(tmp_path, turns=1) as made, open_desk(made):
        other = made.library.story(made.id)
        with pytest.raises(StoryLocked), open_desk(other):
            pass


def test_an_unknown_model_is_named(tmp_path: Path) -> None:
    with story(tmp_path, turns=1) as made, pytest.raises(ModelError, match="no-such-model"):
        dispatch(made, made.units(), model="no-such-model")


def test_progress_tells_units_and_steps(tmp_path: Path) -> None:
    seen: list[Progress] = []
    with story(tmp_path, turns=2) as made:
        curate(made, on_progress=seen.append)
    assert [(p.done, p.total) for p in seen if p.step == "done"] == [(1, 2), (2, 2)]
    assert [p.step for p in seen if p.done == 0][:4] == [
        "read_schema",
        "read_recent",
        "find_entities",
        "brief_entities",
    ]
    assert all((p.report is not None) == (p.step == "done") for p in seen)


def test_stop_ends_the_run_between_dispatches(tmp_path: Path) -> None:
    with story(tmp_path, turns=4) as made:
        answers = iter([False, False, True])
        report = curate(made, stop=lambda: next(answers))
        assert (len(report.reports), report.left) == (2, 2)
        assert [unit.turn for unit in made.uncurated()] == [3, 4]


def test_a_window_of_turns(tmp_path: Path) -> None:
    with story(tmp_path, turns=4) as made:
        curate(made, start=2, end=3)
        assert [unit.turn for unit in made.uncurated()] == [1, 4]


def test_a_report_survives_the_library(tmp_path: Path) -> None:
    with story(tmp_path, turns=1) as made:
        report = dispatch(made, made.units())
        kept = made.dispatch_report(report.dispatch_id)
        assert kept is not None
        assert DispatchReport.from_row(kept) == report


def test_nothing_is_visible_before_the_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    with story(tmp_path, turns=1) as made:
        swept = DispatchSession.sweep

        def look(self: Any) -> None:
            sizes.append(len(made.reader().list_nodes()))
            swept(self)

        monkeypatch.setattr(DispatchSession, "sweep", look)
        dispatch(made, made.units())
        assert sizes == [0]
        assert made.reader().list_nodes()
