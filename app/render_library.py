"""How the commands about a whole library look: status, stories, doctor."""

from __future__ import annotations

from typing import Any

from rich.padding import Padding
from rich.text import Text

from talekeeper.app.output import Output
from talekeeper.app.render import View, friendly, human_size, pairs, table, type_label, when
from talekeeper.app.words import Words


def render_status(data: View, out: Output) -> None:
    """All counts of a story."""
    words, units, messages = out.words, data["units"], data["messages"]
    comma = words("list_comma")
    out.out.print(Text.assemble((data["story"]["title"], "bold"), f"  {data['story']['id']}"))
    curated = words("of", n=units["curated"], total=units["total"])
    nodes = comma.join(f"{type_label(name, words)} {count}" for name, count in data["nodes"].items())
    threads = comma.join(f"{words.get(name, name)} {count}" for name, count in data["threads"].items())
    rollups = comma.join(words("depth_n", depth=depth, n=count) for depth, count in data["rollups"].items())
    rows = [
        (
            words(f"unit_{units['kind']}"),
            curated + (comma + words("pending", n=units["pending"]) if units["pending"] else ""),
        ),
        (words("messages"), words("hidden_of", total=messages["total"], hidden=messages["hidden"])),
        *((words("source"), _source(source, words)) for source in data["sources"]),
        (words("nodes"), nodes or words("none")),
        (words("threads"), threads or words("none")),
        (words("rollups"), rollups or words("none")),
        (words("needs_review"), comma.join(", ".join(r["batch"]) for r in data["needs_review"]) or words("none")),
    ]
    if data["unfinished_dispatches"]:
        rows.append((words("unfinished"), str(data["unfinished_dispatches"])))
    last = data["last_dispatch"]
    if last:
        made = " · ".join(
            [last["dispatch"], ", ".join(last["batch"]), words("by", author=last["author"]), when(last["at"])]
        )
        rows.append((words("last_dispatch"), made))
    rows.append((words("library"), f"{friendly(data['library']['path'])} ({human_size(data['library']['bytes'])})"))
    out.out.print(pairs(rows))


_LINES_SHOWN = 8


def _source(source: View, words: Words) -> str:
    """A file as it was last read: rows and messages, what was hidden or left out, and the lines that are damaged."""
    parts = [words("n_rows", n=source["rows"]), words("n_messages", n=source["messages"])]
    parts += [words(f"n_{name}", n=source[name]) for name in ("hidden", "swipes") if source[name]]
    if source["damaged"]:
        lines = ", ".join(str(row["line"]) for row in source["damaged"][:_LINES_SHOWN])
        more = ", …" if len(source["damaged"]) > _LINES_SHOWN else ""
        parts.append(words("n_damaged", n=len(source["damaged"]), lines=lines + more))
    return f"{words('list_comma').join([source['format'], *parts])}\n{friendly(source['place'])}"


def render_stories(data: View, out: Output) -> None:
    """The stories of a library as a table."""
    words = out.words
    if not data["stories"]:
        out.out.print(words("no_stories"))
        return
    rows = table(words("id"), (words("title"), "bold"), words("language"), words("unit_turn"), words("source"))
    for story in data["stories"]:
        turns = str(story["units"])
        if story["pending"]:
            turns += f" ({words('pending', n=story['pending'])})"
        rows.add_row(str(story["id"]), Text(story["title"]), story["language"], turns, Text(story["source"]))
    out.out.print(rows)


def render_doctor(data: View, out: Output) -> None:
    """What a check found, worst first, each with how to mend it."""
    words = out.words
    for problem in data["problems"]:
        out.out.print(Text.assemble((f"{words('problem')} ", "bold red"), problem))
    order = {"hard": 0, "soft": 1}
    for row in sorted(data["violations"], key=lambda r: order.get(r["severity"], 2)):
        out.out.print(_violation(row, words))
    comma = words("list_comma")
    if data["by_rule"]:
        out.out.print(Text(words("by_rule"), style="bold"))
        out.out.print(pairs([(name, _rule_count(count, words)) for name, count in data["by_rule"].items()]))
    for story, settings in data["settings"].items():
        told = comma.join(f"{rule}: {words(severity)}" for rule, severity in settings.items())
        out.out.print(Text(words("settings_of", story=story, settings=told), style="dim"))
    checked = comma.join(f"{words.get(f'checked_{name}', name)} {count}" for name, count in data["checked"].items())
    if data["clean"]:
        out.out.print(Text(words("clean", checked=checked), style="green"))
    else:
        out.out.print(Text(words("broken", hard=data["hard"], problems=len(data["problems"])), style="bold red"))
    if data["soft"]:
        out.out.print(Text(words("soft_n", n=data["soft"]), style="yellow"))


def _rule_count(count: View, words: Words) -> Text:
    parts = [(f"{words(kind)} {count[kind]}", style) for kind, style in (("hard", "red"), ("soft", "yellow"))]
    shown = [part for part, kind in zip(parts, ("hard", "soft"), strict=True) if count[kind]]
    statement = count["statement"].get(words.language, "")
    return Text("  ").join([*(Text(label, style) for label, style in shown), Text(statement, "dim")])


def _violation(row: dict[str, Any], words: Words) -> Padding:
    style = "red" if row["severity"] == "hard" else "yellow"
    text = Text.assemble(
        (f"{row['rule']} ({words(row['severity'])}) ", style), f"{row['story']} · {row['node']}: {row['message']}"
    )
    if row["excerpt"]:
        text.append(f"\n  {row['excerpt']}", style="italic")
    if row["mend"]:
        text.append(f"\n  {words('mend')}: {row['mend']}", style="dim")
    return Padding(text, (0, 0, 1, 0))
