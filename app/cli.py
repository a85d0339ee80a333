"""The command line's entry point: which commands there are. What they do stands in ``commands``; heavy imports wait."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import typer

from talekeeper.app.commands import curate, demo, library, look, rules
from talekeeper.app.errors import GuardedGroup

app = typer.Typer(
    name="talekeeper",
    cls=GuardedGroup,
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Start here: [bold]talekeeper demo[/bold], then [bold]talekeeper curate CHAT.jsonl[/bold]",
)


@app.callback()
def _root() -> None:
    """Turn long role-play chats and novels into a memory: typed, sourced, checked."""


_PANELS: Mapping[str, Sequence[Callable[..., None]]] = {
    "Make memory": (curate.curate, demo.demo),
    "Read memory": (look.show, look.timeline, look.threads, look.find, look.search),
    "Look after it": (library.status, library.stories, library.doctor, rules.rules, library.version),
}
for _panel, _commands in _PANELS.items():
    for _command in _commands:
        app.command(rich_help_panel=_panel)(_command)


def main() -> None:
    """Run the command line."""
    app()


if __name__ == "__main__":
    main()
