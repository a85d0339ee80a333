"""Z: damage control. What happens when a write is refused, how often it may be tried, and what a story may turn off."""

from __future__ import annotations

from collections.abc import Iterator

from talekeeper.rules.family import rule
from talekeeper.rules.model import Violation
from talekeeper.rules.pack import LanguagePack
from talekeeper.rules.subjects import ControlSubject

ALWAYS_ON = ("P8", "P9", "T8", "N1", "L2")
SEVERITIES = ("hard", "soft", "off")


def refused_whole(subject: ControlSubject, pack: LanguagePack) -> Iterator[Violation]:
    """Z1."""
    if not subject.refused:
        return
    if subject.before != subject.after:
        yield pack.report("Z1", "changed", where="write")
    unsaid = [name for name in dict.fromkeys(subject.found) if name not in subject.told]
    if unsaid:
        yield pack.report("Z1", "unsaid", where="reply", rules=pack.listed(unsaid))
    severities = [subject.severities.get(name, "hard") for name in subject.told]
    if "soft" in severities and "hard" in severities[severities.index("soft") :]:
        yield pack.report("Z1", "order", where="reply")


def bounded(subject: ControlSubject, pack: LanguagePack) -> Iterator[Violation]:
    """Z2."""
    if subject.tries > subject.most_tries:
        yield pack.report("Z2", "too_many", where="write", tries=subject.tries, limit=subject.most_tries)
    if subject.traced != subject.tries:
        yield pack.report("Z2", "untraced", where="write", tries=subject.tries, traced=subject.traced)


def counted(subject: ControlSubject, pack: LanguagePack) -> Iterator[Violation]:
    """Z3. Asked of figures only: a subject without rates and without a model is a single write."""
    if not (subject.rates or subject.model):
        return
    missing = [name for name in dict.fromkeys(subject.found) if name not in subject.rates]
    if missing:
        yield pack.report("Z3", "no_rate", where="figures", rules=pack.listed(missing))
    if subject.rates and not (subject.model and subject.prompt_version):
        yield pack.report("Z3", "whose", where="figures")
    for name, rate in subject.rates.items():
        if not 0 <= rate <= 1:
            yield pack.report("Z3", "no_share", where="figures", name=name)


def settings_allowed(subject: ControlSubject, pack: LanguagePack) -> Iterator[Violation]:
    """Z4."""
    for name, severity in subject.settings.items():
        if severity not in SEVERITIES:
            yield pack.report("Z4", "unknown", where="settings", name=name, excerpt=str(severity))
        elif severity == "off" and name in ALWAYS_ON:
            yield pack.report("Z4", "always_on", where="settings", name=name)


RULES = (
    rule("Z1", "control", refused_whole),
    rule("Z2", "control", bounded),
    rule("Z3", "control", counted),
    rule("Z4", "control", settings_allowed),
)
