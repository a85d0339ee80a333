"""How ``curate`` and its plan look: one block a story, then what is saved and how to go on."""

from __future__ import annotations

from rich.text import Text

from talekeeper.app.output import Output
from talekeeper.app.render import View, friendly, program, quoted, type_label
from talekeeper.app.words import Words


def render_plan(data: View, out: Output) -> None:
    """What a run would do."""
    words = out.words
    for row in data["stories"]:
        lines = [
            words(
                "plan_units",
                n=row["to_curate"],
                unit=words.unit(row["kind"], row["to_curate"]),
                **{key: row["units"][key] for key in ("new", "changed", "unchanged")},
            )
        ]
        if row["pending"]:
            lines.append(words("plan_pending", n=row["pending"], unit=words.unit(row["kind"], row["pending"])))
        if row["units"]["missing"]:
            lines.append(
                words("missing_line", n=row["units"]["missing"], unit=words.unit(row["kind"], row["units"]["missing"]))
            )
        lines.append(words("plan_calls", n=row["model_calls"]) if row["model_calls"] else words("plan_no_calls"))
        out.out.print(Text(row["story"]["title"], style="bold"))
        for line in lines:
            out.out.print(Text("  " + line))
    out.note(out.words("plan_nothing_written"), "dim")


def render_curated(data: View, out: Output) -> None:
    """What a run did."""
    for row in data["stories"]:
        _story(row, out)
    words = out.words
    if data["stopped"]:
        done = sum(row["units"]["total"] - row["left"] for row in data["stories"])
        out.note(
            words(
                "stopped_line",
                done=done,
                unit=words.unit(data["stories"][0]["kind"] if data["stories"] else "turn", done),
            ),
            "yellow",
        )
        out.note(words("go_on", command=_again(data)))
        return
    out.note(words("library_at", path=friendly(data["library"]["path"])), "dim")


def _story(row: View, out: Output) -> None:
    words, units = out.words, row["units"]
    unit = words.unit(row["kind"])
    done, left = row["curated"], row["left"]
    mark = ("✓ ", "green") if not left else ("… ", "yellow")
    out.out.print(Text.assemble(mark, (row["story"]["title"], "bold")))
    lines: list[tuple[str, str]] = []
    if not done and not left and not row["resumed"]:
        lines.append((words("nothing_to_do", total=units["total"], unit=unit), ""))
    elif done:
        rate = f"{done / row['seconds']:.1f}" if row["seconds"] else "–"
        lines.append(
            (
                words(
                    "curated_line",
                    n=done,
                    seconds=f"{row['seconds']:.1f} s",
                    rate=rate,
                    unit=words.unit(row["kind"], done),
                    many=unit,
                ),
                "",
            )
        )
        lines.append(
            (words("new_line", new=units["added"], changed=units["changed"], unchanged=units["unchanged"]), "dim")
        )
    if row["written"]:
        what = words("list_comma").join(_written(name, count, words) for name, count in sorted(row["written"].items()))
        lines.append((words("written_line", what=what), ""))
    if row["resumed"]:
        lines.append((words("resumed_line", n=row["resumed"], unit=words.unit(row["kind"], row["resumed"])), ""))
    if units["missing"]:
        lines.append(
            (words("missing_line", n=units["missing"], unit=words.unit(row["kind"], units["missing"])), "yellow")
        )
    if row["needs_review"]:
        lines.append((words("review_line", n=len(row["needs_review"]), unit=unit), "yellow"))
    if left:
        lines.append((words("left_line", n=left, unit=words.unit(row["kind"], left)), "yellow"))
    for line, style in lines:
        out.out.print(Text("  " + line, style=style))


def _written(name: str, count: int, words: Words) -> str:
    """``event create`` and the like, in words."""
    type_name, _, verb = name.partition(" ")
    label = type_label(type_name, words)
    return (
        f"{label} {count}"
        if verb in ("", "create")
        else words.get(f"verb_{verb}", verb + " {what}").format(what=f"{label} {count}")
    )


def _again(data: View) -> str:
    """The command that goes on with what was stopped."""
    row = data["stories"][-1] if data["stories"] else None
    parts = ["curate"]
    if row and row["file"]:
        parts.append(friendly(row["file"]))
    elif row:
        parts += ["--story", row["story"]["title"]]
    return " ".join([program(), *map(quoted, [*parts, "--library", friendly(data["library"]["path"])])])
