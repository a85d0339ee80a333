"""How the reading commands look at a terminal. Story text is always printed as it is, never read as markup."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from talekeeper.app.output import Output
from talekeeper.app.words import Words

View = Mapping[str, Any]
QUOTE_CHARS = 160
"""Characters of a quoted passage that ``show`` prints without ``--full``."""
STATUS_STYLE = {"active": "yellow", "resolved": "green", "abandoned": "dim"}
_LABEL = "bold"
_DIM = "dim"


def table(*columns: str | tuple[str, str], first_no_wrap: bool = True) -> Table:
    """A plain table; a column is its header, or header and style."""
    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=_DIM)
    for index, column in enumerate(columns):
        name, style = (column, "") if isinstance(column, str) else column
        made.add_column(name, style=style, no_wrap=first_no_wrap and index == 0, overflow="fold")
    return made


def pairs(rows: Sequence[tuple[str, RenderableType]]) -> Table:
    """Labels on the left, values on the right."""
    made = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    made.add_column(style=_DIM, no_wrap=True)
    made.add_column(overflow="fold")
    for label, value in rows:
        made.add_row(Text(label), Text(value) if isinstance(value, str) else value)
    return made


def indented(part: RenderableType, columns: int, lines_above: int = 0) -> Padding:
    """``part`` moved to the right, without blanks at the ends of lines."""
    return Padding(part, (lines_above, 0, 0, columns), expand=False)


def heading(text: str) -> Text:
    return Text(text, style=_LABEL)


def human_size(count: int) -> str:
    """Bytes for people: ``3.4 MB``."""
    size = float(count)
    for unit in ("B", "KB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"


def short(text: str, limit: int) -> str:
    """``text`` on one line, cut to ``limit`` characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def quoted(text: str) -> str:
    """``text`` as a shell takes it for one word, bare where it may be (Chinese names too)."""
    return text if re.fullmatch(r"[\w@%+=:,./-]+", text) else shlex.quote(text)


def when(moment: str) -> str:
    """An ISO moment of the library (UTC) to the minute."""
    return f"{moment[:16].replace('T', ' ')} UTC"


def friendly(path: str) -> str:
    """A path as short as it can be told: relative where it lies below the working folder."""
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except (OSError, ValueError):
        return path


def program() -> str:
    """What to type for this program: its bare name if the shell finds it, else the way it was called."""
    called = Path(sys.argv[0])
    if called.name != "talekeeper" or shutil.which("talekeeper") is not None:
        return "talekeeper"
    return quoted(friendly(str(called.absolute())))


def type_label(name: str, words: Words) -> str:
    return words.get(name, name)


def event_text(event: View, words: Words, *, brief: bool = False) -> Text:
    """An event: when and where, what happened, what stays and what is open; a rollup: its span and its outline.

    Args:
        brief: on one line, and nothing but when, where and what happened.
    """
    if event["depth"]:
        span = " – ".join(dict.fromkeys(t for t in (event["time_from"], event["time_to"]) if t))
        shown = Text(span, style="cyan")
        for number, item in enumerate(event["items"], start=1):
            shown.append(f"\n{number}) {item['text']}", style="default")
            shown.append(f"  ({item['patch']})" if item["patch"] else "", style=_DIM)
        return shown
    facts = " · ".join(part for part in (event["time"], event["place"]) if part)
    if brief:
        return Text.assemble((facts, "cyan"), "  ", short(event["prose"], 160))
    shown = Text.assemble((facts, "cyan"), "\n" if facts else "", event["prose"])
    rows = [("irreversible", row) for row in event["irreversible"]]
    rows += [("open_thread", title) for title in event["open_threads"]]
    rows += [("excerpt", f"{row['label']}: {row['text']}") for row in event["excerpts"]]
    for key, row in rows:
        shown.append(f"\n{words(key)} ", style="magenta").append(row)
    return shown


def render_node(data: View, out: Output, *, full: bool = False) -> None:
    """A node: fields, links, passages, versions."""
    words, node = out.words, data["node"]
    label = type_label(node["type"], words) if not node["depth"] else words("rollup")
    out.out.print(Text.assemble((node["title"], "bold"), "  " if node["title"] else "", f"{node['id']} · {label}"))
    if node["parent"]:
        out.out.print(Text(words("rolled_into", id=node["parent"]), style=_DIM))
    fields = [(words.get(name, name), _value(value)) for name, value in node["fields"].items() if _filled(name, value)]
    if data["event"]:
        out.out.print(indented(event_text(data["event"], words), 0, 1))
    elif fields:
        out.out.print(indented(pairs(fields), 0, 1))
    for title, part in (
        ("children", _children(data["children"], words)),
        ("links", _links(data["links"], node["id"])),
        ("evidence", _evidence(data["evidence"], words, full)),
        ("history", _history(data["history"], words)),
    ):
        if part is not None:
            out.out.print(indented(Group(heading(words(title)), indented(part, 2)), 0, 1))


def _filled(name: str, value: object) -> bool:
    return name != "title" and value not in (None, "", [], ())


def _value(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return "\n".join(str(item) for item in value)
    return str(value)


def _children(children: Sequence[View], words: Words) -> RenderableType | None:
    if not children:
        return None
    rows = pairs([])
    for child in children:
        rows.add_row(child["id"], event_text(child, words, brief=True))
    return rows


def _links(links: Sequence[View], node_id: str) -> RenderableType | None:
    """One row for each relation and direction, with all that stands at its other end, oldest first."""
    if not links:
        return None
    ends: dict[str, list[str]] = {}
    for link in sorted(links, key=lambda row: _number(row["source"]) + _number(row["target"])):
        outward = link["source"] == node_id
        end = "target" if outward else "source"
        arrow = f"{link['relation']} →" if outward else f"← {link['relation']}"
        title = short(str(link[f"{end}_title"]), 40)
        ends.setdefault(arrow, []).append(f"{link[end]} {title}".strip())
    rows = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    rows.add_column(style="cyan", no_wrap=True)
    rows.add_column(overflow="fold")
    for arrow, others in ends.items():
        rows.add_row(arrow, Text(", ".join(others)))
    return rows


def _number(node_id: str) -> tuple[str, int]:
    prefix, _, number = node_id.rpartition("_")
    return prefix, int(number) if number.isdigit() else 0


def _evidence(rows: Sequence[View], words: Words, full: bool) -> RenderableType | None:
    if not rows:
        return None
    parts: list[RenderableType] = []
    for row in rows:
        quote = row["quote"] if full else short(row["quote"], QUOTE_CHARS)
        before, after = (re.sub(r"\s+", " ", row[side]) for side in ("before", "after"))
        passage = Text.assemble(
            ("…" + before if before else "", _DIM), (quote, "bold italic"), (after + "…" if after else "", _DIM)
        )
        where = f"{row['unit']} · {words('turn_n', n=row['turn'])} · {row['start']}–{row['end']}"
        parts += [Text(where, style=_DIM), indented(passage, 2)]
    return Group(*parts)


def _history(rows: Sequence[View], words: Words) -> RenderableType | None:
    if not rows:
        return None
    shown = pairs([])
    for number, row in enumerate(rows, start=1):
        made = " · ".join([", ".join(row["batch"]) or row["kind"], words("by", author=row["author"]), when(row["at"])])
        shown.add_row(words("version_n", n=number), Text(made + "".join(f" · {flag}" for flag in row["flags"])))
    return shown


def render_unit(data: View, out: Output) -> None:
    """A unit's curated text."""
    unit = data["unit"]
    title = f"  {unit['title']}" if unit["title"] else ""
    out.out.print(Text.assemble((unit["ref"], "bold"), f" · {out.words('turn_n', n=unit['turn'])}{title}"))
    out.out.print(indented(Text(unit["text"]), 0, 1))


def render_timeline(data: View, out: Output) -> None:
    """Events in story order, each under its turn and id."""
    if not data["events"]:
        out.out.print(out.words("no_events"))
    for event in data["events"]:
        out.out.print(Text.assemble((_span(event["units"]), "bold"), (f"  {event['id']}", _DIM)))
        out.out.print(indented(event_text(event, out.words), 2))
        out.out.print()


def _span(units: Sequence[str]) -> str:
    return units[0] if len(units) == 1 else f"{units[0]}–{units[-1]}" if units else ""


def render_threads(data: View, out: Output) -> None:
    """Threads as a table."""
    words = out.words
    if not data["threads"]:
        out.out.print(words("no_threads_all" if data["all"] else "no_threads"))
        return
    out.out.print(threads_table(data["threads"], words))


def threads_table(threads: Sequence[View], words: Words) -> Table:
    rows = table(words("id"), words("title"), words("status"), words("opened"), words("closed"), words("note"))
    for thread in threads:
        status = str(thread["status"])
        rows.add_row(
            Text(thread["id"]),
            Text(thread["title"], style="bold"),
            Text(words.get(status, status), style=STATUS_STYLE.get(status, "")),
            thread["opened"] or "",
            thread["closed"] or "",
            Text(str(thread["note"])),
        )
    return rows


def render_matches(data: View, out: Output) -> None:
    """Nodes that bear a name."""
    words = out.words
    if not data["matches"]:
        out.out.print(Text(words("no_matches", name=data["query"])))
        return
    rows = table(words("id"), words("type"), (words("title"), "bold"), words("matched"))
    for match in data["matches"]:
        how = words(match["via"]) + (f" {match['name']}" if match["via"] == "alias" else "")
        rows.add_row(match["node_id"], type_label(match["type"], words), Text(match["title"]), Text(how))
    out.out.print(rows)


def render_hits(data: View, out: Output) -> None:
    """Search hits, best first."""
    words = out.words
    if not data["hits"]:
        out.out.print(Text(words("no_hits", query=data["query"])))
        return
    rows = table(words("id"), words("score"), (words("title"), "bold"), words("passage"))
    for hit in data["hits"]:
        rows.add_row(hit["id"], f"{hit['score']:.2f}", Text(short(hit["title"], 30)), Text(short(hit["snippet"], 120)))
    out.out.print(rows)
