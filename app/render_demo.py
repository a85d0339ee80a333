"""How the demo shows what was learnt."""

from __future__ import annotations

import shlex

from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from talekeeper.app.output import Output
from talekeeper.app.render import View, event_text, heading, human_size, pairs, short, threads_table
from talekeeper.app.render_curation import render_curated
from talekeeper.app.words import Words


def render_demo(data: View, out: Output) -> None:
    """What the sample chat became: events as a tree, characters, places, threads, and what to try next."""
    words, status, console = out.words, data["status"], out.out
    render_curated(data["curation"], out)
    title = status["story"]["title"]
    console.print()
    console.print(Rule(Text(words("demo_learnt", title=title), style="bold"), align="left"))
    for key, part in (
        ("demo_events", _events(data["events"], words)),
        ("demo_characters", _nodes(data["characters"], ("identity", "goal", "traits"))),
        ("demo_places", _nodes(data["places"], ("state", "controller"))),
        ("demo_threads", threads_table(data["threads"], words)),
    ):
        console.print(Padding(heading(words(key)), (1, 0, 0, 0)))
        console.print(Padding(part, (0, 0, 0, 2)))
    path = status["library"]["path"]
    console.print()
    console.print(Text(f"{words('library_at', path=path)} ({human_size(status['library']['bytes'])})"))
    console.print(heading(words("demo_try")))
    option = f"--library {shlex.quote(path)}"
    someone = data["characters"][0]["title"] if data["characters"] else "u1"
    for command in (f"show {shlex.quote(someone)}", "timeline --leaves", "threads --all", "status", "doctor"):
        console.print(Text(f"  talekeeper {command} {option}"), soft_wrap=True)
    console.print(Text(words("demo_honest"), style="dim"))


def _events(events: list[View], words: Words) -> Tree:
    root = Tree("", hide_root=True, guide_style="dim")
    for event in events:
        _branch(root, event)
    return root


def _branch(tree: Tree, event: View) -> None:
    label = Text.assemble((event["id"], "bold"), "  ")
    if event["depth"]:
        branch = tree.add(label.append(event_text(event)))
        for child in event["children"]:
            _branch(branch, child)
    else:
        head, _, body = str(event["summary"]).partition("\n\n")
        facts = " · ".join(line.partition(":")[2].strip() for line in head.split("\n"))
        tree.add(label.append(facts, style="cyan").append("  " + short(body or head, 90)))


def _nodes(nodes: list[View], fields: tuple[str, ...]) -> Table:
    rows = pairs([])
    for node in nodes:
        known = [str(v) if isinstance(v, str) else "、".join(v) for f in fields if (v := node["fields"].get(f))]
        name = Text(node["title"], style="bold")
        also = node["fields"].get("aliases") or ()
        rows.add_row(
            node["id"], name.append(f" ({', '.join(also)})" if also else "", style="dim"), Text(" · ".join(known))
        )
    return rows
