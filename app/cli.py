"""The command line's entry point: which commands there are. What they do stands in ``commands``; heavy imports wait."""

from __future__ import annotations

import typer

from talekeeper.app.commands import curate, demo, library, look
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


_MAKE, _READ, _KEEP = "Make memory", "Read memory", "Look after it"
app.command(rich_help_panel=_MAKE)(curate.curate)
app.command(rich_help_panel=_MAKE)(demo.demo)
for _command in (look.show, look.timeline, look.threads, look.find, look.search):
    app.command(rich_help_panel=_READ)(_command)
for _command in (library.status, library.stories, library.doctor, library.version):
    app.command(rich_help_panel=_KEEP)(_command)


def main() -> None:
    """Run the command line."""
    app()


if __name__ == "__main__":
    main()
