"""From what an agent cites to spans in the batch: no write stands without the units it rests on (P5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from talekeeper.memory.models import Evidence, Unit, quote_hash
from talekeeper.rules.model import Violation
from talekeeper.tools.arguments import as_list, as_text
from talekeeper.tools.errors import ArgumentRefused
from talekeeper.tools.nearest import nearest, nearest_passage
from talekeeper.tools.state import DispatchState


@dataclass
class Citation:
    """Evidence as found, and what is wrong with the rest."""

    evidence: list[Evidence] = field(default_factory=list)
    faults: list[Violation] = field(default_factory=list)

    @property
    def spans(self) -> tuple[Evidence, ...]:
        return tuple(dict.fromkeys(self.evidence))


def cite(state: DispatchState, given: object, *, whole_batch: bool = False) -> Citation:
    """Locate what is cited.

    Args:
        given: unit refs, ``{"unit", "quote"}`` objects, or ``Evidence``; one or a list of them. Nothing = the batch's
            one unit.
        whole_batch: nothing given means every unit (an event rests on its whole batch).
    """
    citation = Citation()
    items = [given] if isinstance(given, Evidence) else as_list(given, "evidence")
    if not items:
        if len(state.batch) > 1 and not whole_batch:
            units = ", ".join(state.batch_refs)
            citation.faults.append(
                state.fault("evidence_unnamed", where="evidence", units=units, first=state.batch_refs[0])
            )
        else:
            citation.evidence.extend(Evidence.of(unit) for unit in state.batch)
    for item in items:
        if isinstance(item, Evidence):
            _check_span(state, item, citation)
        elif isinstance(item, Mapping):
            _locate(state, item, citation)
        elif isinstance(item, str):
            unit = _unit(state, item, citation)
            if unit is not None:
                citation.evidence.append(Evidence.of(unit))
        else:
            raise ArgumentRefused("Argument evidence must hold unit refs or {unit, quote} objects.")
    return citation


def _locate(state: DispatchState, item: Mapping[str, object], citation: Citation) -> None:
    strangers = set(item) - {"unit", "quote"}
    if strangers:
        near = ", ".join(nearest(sorted(strangers)[0], ["unit", "quote"]))
        raise ArgumentRefused(f"Evidence has no key {sorted(strangers)[0]!r}.", hint=f"Nearest: {near}.")
    ref, quote = as_text(item.get("unit"), "evidence.unit"), as_text(item.get("quote"), "evidence.quote")
    if not ref and not quote:
        raise ArgumentRefused("Evidence must name a unit, a quote, or both.")
    unit = _unit(state, ref, citation) if ref else _unit_of_quote(state, quote, citation)
    if unit is None:
        return
    if not quote:
        citation.evidence.append(Evidence.of(unit))
        return
    start = unit.text.find(quote)
    if start < 0:
        passage = nearest_passage(quote, unit.text)
        citation.faults.append(
            state.fault("quote_absent", where="evidence", excerpt=quote[:200], unit=unit.ref, nearest=passage)
        )
    else:
        citation.evidence.append(Evidence.of(unit, start, start + len(quote)))


def _unit(state: DispatchState, ref: str, citation: Citation) -> Unit | None:
    found = next((unit for unit in state.batch if unit.ref == ref.strip()), None)
    if found is None:
        near = ", ".join(nearest(ref, state.batch_refs, limit=1))
        units = ", ".join(state.batch_refs)
        citation.faults.append(state.fault("foreign_unit", where="evidence", unit=ref[:80], units=units, nearest=near))
    return found


def _unit_of_quote(state: DispatchState, quote: str, citation: Citation) -> Unit | None:
    holders = [unit for unit in state.batch if quote in unit.text]
    if len(holders) == 1:
        return holders[0]
    if holders:
        units = ", ".join(unit.ref for unit in holders)
        citation.faults.append(state.fault("quote_ambiguous", where="evidence", excerpt=quote[:200], units=units))
    else:
        passage, units = nearest_passage(quote, state.batch_text), ", ".join(state.batch_refs)
        fault = state.fault("quote_absent", where="evidence", excerpt=quote[:200], unit=units, nearest=passage)
        citation.faults.append(fault)
    return None


def _check_span(state: DispatchState, span: Evidence, citation: Citation) -> None:
    unit = _unit(state, span.unit, citation)
    if unit is None:
        return
    inside = 0 <= span.start <= span.end <= len(unit.text)
    if inside and quote_hash(unit.text[span.start : span.end]) == span.quote_hash:
        citation.evidence.append(span)
    else:
        citation.faults.append(state.fault("span_moved", where="evidence", unit=unit.ref))
