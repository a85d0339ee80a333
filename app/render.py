"""How the reading commands look at a terminal. Story text is always printed as it is, never read as markup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


def type_label(name: str, words: Words) -> str:
    return words.get(name, name)


def event_text(event: View, *, body_only: bool = False) -> Text:
    """An event's summary: its header lines dimmed on one line, then the prose; a rollup's outline as it stands."""
    head, gap, body = str(event["summary"]).partition("\n\n")
    if not gap:
        first, line_break, rest = head.partition("\n")
        head, body = (first, rest) if line_break and event["depth"] else ("", head)
    shown = Text()
    if head and not body_only:
        facts = [part.partition(":")[2].strip() if event["depth"] == 0 else part for part in head.split("\n")]
        shown.append(" · ".join(facts), style="cyan")
        shown.append("\n")
    return shown.append(body)


def render_node(data: View, out: Output, *, full: bool = False) -> None:
    """A node: fields, links, passages, versions."""
    words, node = out.words, data["node"]
    label = type_label(node["type"], words) if not node["depth"] else words("rollup")
    out.out.print(Text.assemble((node["title"] or node["id"], "bold"), f"  {node['id']} · {label}"))
    if node["parent"]:
        out.out.print(Text(words("rolled_into", id=node["parent"]), style=_DIM))
    fields = [(words.get(name, name), _value(value)) for name, value in node["fields"].items() if _filled(name, value)]
    if node["type"] == "event":
        out.out.print(Padding(event_text({**node, "summary": node["fields"].get("summary", "")}), (1, 0, 0, 0)))
    elif fields:
        out.out.print(Padding(pairs(fields), (1, 0, 0, 0)))
    for title, part in (
        ("children", _children(data["children"])),
        ("links", _links(data["links"], node["id"])),
        ("evidence", _evidence(data["evidence"], words, full)),
        ("history", _history(data["history"], words)),
    ):
        if part is not None:
            out.out.print(Padding(Group(heading(words(title)), Padding(part, (0, 0, 0, 2))), (1, 0, 0, 0)))


def _filled(name: str, value: object) -> bool:
    return name != "title" and value not in (None, "", [], ())


def _value(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return "\n".join(str(item) for item in value)
    return str(value)


def _children(children: Sequence[View]) -> RenderableType | None:
    if not children:
        return None
    rows = pairs([])
    for child in children:
        rows.add_row(child["id"], Text(short(_first_body_line(child["fields"].get("summary", "")), 200)))
    return rows


def _first_body_line(summary: str) -> str:
    return summary.partition("\n\n")[2] or summary.partition("\n")[2] or summary


def _links(links: Sequence[View], node_id: str) -> RenderableType | None:
    if not links:
        return None
    rows = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for link in links:
        outward = link["source"] == node_id
        end = "target" if outward else "source"
        arrow = f"{link['relation']} →" if outward else f"← {link['relation']}"
        rows.add_row(Text(arrow, style="cyan"), Text(link[end]), Text(short(str(link[f"{end}_title"]), 60)))
    return rows


def _evidence(rows: Sequence[View], words: Words, full: bool) -> RenderableType | None:
    if not rows:
        return None
    parts: list[RenderableType] = []
    for row in rows:
        quote = row["quote"] if full else short(row["quote"], QUOTE_CHARS)
        where = f"{row['unit']} · {words('turn_n', n=row['turn'])} · {row['start']}–{row['end']}"
        parts += [Text(where, style=_DIM), Padding(Text(quote, style="italic"), (0, 0, 0, 2))]
    return Group(*parts)


def _history(rows: Sequence[View], words: Words) -> RenderableType | None:
    if not rows:
        return None
    shown = pairs([])
    for number, row in enumerate(rows, start=1):
        made = " · ".join([", ".join(row["batch"]) or row["kind"], words("by", author=row["author"]), row["at"][:19]])
        shown.add_row(words("version_n", n=number), Text(made + "".join(f" · {flag}" for flag in row["flags"])))
    return shown


def render_unit(data: View, out: Output) -> None:
    """A unit's curated text."""
    unit = data["unit"]
    title = f"  {unit['title']}" if unit["title"] else ""
    out.out.print(Text.assemble((unit["ref"], "bold"), f" · {out.words('turn_n', n=unit['turn'])}{title}"))
    out.out.print(Padding(Text(unit["text"]), (1, 0, 0, 0)))


def render_timeline(data: View, out: Output) -> None:
    """Events in story order, each under its turn and id."""
    if not data["events"]:
        out.out.print(out.words("no_events"))
    for event in data["events"]:
        out.out.print(Text.assemble((_span(event["units"]), "bold"), (f"  {event['id']}", _DIM)))
        out.out.print(Padding(event_text(event), (0, 0, 1, 2)))


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
