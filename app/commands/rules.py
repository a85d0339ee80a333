"""The command that tells the rules: the whole catalogue, or one rule with examples."""

from __future__ import annotations

from typing import Annotated

import typer

from talekeeper.app.options import JsonOption, LibraryOption, StoryOption, output_for


def rules(
    rule: Annotated[
        str | None, typer.Argument(metavar="RULE", help="One rule by its id (E3), with a bad and a good example.")
    ] = None,
    library: LibraryOption = None,
    story: StoryOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the rules that a memory is held to, or explain one.

    With --story, each rule has the severity that this story sets.
    """
    from talekeeper.app.handbook import catalogue_view, rule_view
    from talekeeper.app.opening import reading_story
    from talekeeper.app.render_rules import render_catalogue, render_rule

    out = output_for(as_json)
    settings, named = None, ""
    if story is not None:
        with reading_story(library, story) as opened:
            settings, named = opened.rule_settings, opened.title
            out = out.in_language(opened.language)
    if rule is None:
        out.result("rules", catalogue_view(out.words.language, settings, named), render_catalogue)
    else:
        out.result("rule", rule_view(rule, out.words.language, settings, named), render_rule)
