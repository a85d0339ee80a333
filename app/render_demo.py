"""How the demo shows what was learnt."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from talekeeper.app.output import Output
from talekeeper.app.render import (
    View,
    event_text,
    friendly,
    heading,
    human_size,
    indented,
    program,
    quoted,
    threads_table,
)
from talekeeper.app.render_curation import render_curated
from talekeeper.app.words import Words


def render_demo(data: View, out: Output) -> None:
    """What the sample chat became: events as a tree, characters, places, threads, and what to try next."""
    words, status, console = out.words, data["status"], out.out
    render_curated(data["curation"], out)
    title = status["story"]["title"]
    console.print()
    console.print(Text(words("demo_learnt", title=title), style="bold underline"))
    for key, part in (
        ("demo_events", _events(data["events"], words)),
        ("demo_characters", _nodes(data["characters"], ("identity", "goal", "traits"))),
        ("demo_places", _nodes(data["places"], ("state", "controller"))),
        ("demo_threads", threads_table(data["threads"], words)),
    ):
        console.print(indented(heading(words(key)), 0, 1))
        console.print(indented(part, 2))
    path = friendly(status["library"]["path"])
    console.print()
    console.print(Text(f"{words('library_at', path=path)} ({human_size(status['library']['bytes'])})"))
    console.print(heading(words("demo_try")))
    option = f"--library {quoted(path)}"
    someone = data["characters"][0]["title"] if data["characters"] else "u1"
    for command in (f"show {quoted(someone)}", "timeline --leaves", "threads --all", "status", "doctor"):
        console.print(Text(f"  {program()} {command} {option}"), soft_wrap=True)
    console.print(Text(words("demo_honest"), style="dim"))


def _events(events: list[View], words: Words) -> Tree:
    root = Tree("", hide_root=True, guide_style="dim")
    for event in events:
        _branch(root, event, words)
    return root


def _branch(tree: Tree, event: View, words: Words) -> None:
    label = Text.assemble((event["id"], "bold"), "  ", event_text(event, words, brief=True))
    branch = tree.add(label)
    for child in event["children"]:
        _branch(branch, child, words)


def _nodes(nodes: list[View], fields: tuple[str, ...]) -> Table:
    rows = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    rows.add_column(style="dim", no_wrap=True)
    rows.add_column(no_wrap=True)
    rows.add_column(overflow="fold")
    for node in nodes:
        known = [str(v) if isinstance(v, str) else "、".join(v) for f in fields if (v := node["fields"].get(f))]
        name = Text(node["title"], style="bold")
        also = node["fields"].get("aliases") or ()
        rows.add_row(
            node["id"], name.append(f" ({', '.join(also)})" if also else "", style="dim"), Text(" · ".join(known))
        )
    return rows
