"""The memory tools as LangChain tools, and one turn of an agent that uses them.

A refusal is an answer, not an exception: the model reads every violation at once, worst first, and mends them (Z1).
Wrong argument types reach the session, which reads them where that is safe.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, WithJsonSchema, create_model

from talekeeper.memory.errors import EmbeddingProfileMissing, NotFound, TalekeeperError
from talekeeper.memory.models import Language
from talekeeper.rules.repair import repair_message
from talekeeper.tools.errors import ArgumentRefused, WriteRefused
from talekeeper.tools.nearest import nearest
from talekeeper.tools.session import DispatchSession

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, ToolCall, ToolMessage
    from langchain_core.tools import StructuredTool

PREFIX = "memory_"
_WRITES = frozenset({"node_create", "node_edit", "node_delete", "link_upsert", "link_delete", "compact_nodes"})
_ANSWERED = (WriteRefused, ArgumentRefused, NotFound, EmbeddingProfileMissing)


def tool_names() -> tuple[str, ...]:
    """The names of the 15 tools."""
    return tuple(PREFIX + verb for verb in _catalogue()["tools"])


def memory_tools(session: DispatchSession) -> list[StructuredTool]:
    """The 15 tools over one dispatch, described in the story's language.

    Invoked with a tool call they answer with a ``ToolMessage``; what a rule, a look-up or an argument refuses has
    ``status="error"``. Errors that no model can mend (a locked story, a full disk) are raised.
    """
    return _tools(session, [])


def _tools(session: DispatchSession, refusals: list[WriteRefused]) -> list[StructuredTool]:
    """The tools; what the rules refuse is also put into ``refusals``."""
    from langchain_core.tools import StructuredTool, ToolException

    def made(verb: str, spec: Mapping[str, Any]) -> StructuredTool:
        def run(**arguments: Any) -> str:
            try:
                return _call(session, verb, arguments)
            except _ANSWERED as error:
                refusals.extend([error] if isinstance(error, WriteRefused) else [])
                raise ToolException(answer_to(error, session.language)) from error

        return StructuredTool.from_function(
            func=run,
            name=PREFIX + verb,
            description=spec[session.language],
            args_schema=arguments_of(verb, session.language),
            handle_tool_error=True,
            handle_validation_error=_explained(verb, session.language),
        )

    return [made(verb, spec) for verb, spec in _catalogue()["tools"].items()]


def run_tool_calls(session: DispatchSession, message: AIMessage) -> list[ToolMessage]:
    """Answer one response of an agent: read its roll-call and thoughts, then run its calls in order.

    Each call is answered by one message. A refused write doesn't stop the calls after it, unless the order itself was
    broken (P1) or the roll-call was refused: then later writes of the same response are not executed, and say so.

    Raises:
        WriteRefused: the response has a refused roll-call and no call that could carry the answer.
    """
    from langchain_core.messages import ToolMessage

    language, calls = session.language, list(message.tool_calls)
    refusals: list[WriteRefused] = []
    tools = {tool.name: tool for tool in _tools(session, refusals)}
    refused = _observed(session, str(message.text))
    if refused is not None and not calls:
        raise refused
    blocked = ""
    answers: list[ToolMessage] = []
    for call in calls:
        name, id_ = call["name"], call["id"] or ""
        verb = name.removeprefix(PREFIX)
        if name not in tools:
            text = _note("unknown_tool", language, name=name, nearest=nearest(name, tools, limit=1)[0])
        elif refused is not None and verb in _WRITES:
            text = _note("roll_call_refused", language, problems=answer_to(refused, language))
        elif blocked and verb in _WRITES:
            text = _note("skipped", language, name=blocked)
        else:
            answers.append(_invoked(tools[name], call))
            blocked = blocked or (name if _out_of_order(refusals) else "")
            continue
        answers.append(ToolMessage(text, tool_call_id=id_, name=name, status="error"))
    for broken in message.invalid_tool_calls:
        text = _note("broken_arguments", language, problem=broken["error"] or broken["args"])
        id_ = broken["id"] or ""
        answers.append(ToolMessage(text, tool_call_id=id_, name=broken["name"], status="error"))
    if refused is not None and not any(call["name"].removeprefix(PREFIX) in _WRITES for call in calls):
        answers[-1].content = f"{answers[-1].content}\n{answer_to(refused, language)}"
    return answers


def answer_to(error: TalekeeperError, language: Language) -> str:
    """What the model is told of an error."""
    return repair_message(error.violations, language) if isinstance(error, WriteRefused) else str(error)


@cache
def arguments_of(verb: str, language: Language) -> type[BaseModel]:
    """The pydantic arguments of one tool: strict about names, lenient about types (the session reads those)."""
    fields: dict[str, Any] = {}
    for name, given in _catalogue()["tools"][verb]["arguments"].items():
        spec, required = _argument(given)
        annotation = Annotated[Any, WithJsonSchema(spec["schema"])]
        default = ... if required else None
        fields[name] = (annotation, Field(default, description=spec[language]))
    title = "".join(part.capitalize() for part in verb.split("_"))
    model: type[BaseModel] = create_model(title, __config__=ConfigDict(extra="forbid"), **fields)
    return model


@cache
def _catalogue() -> Mapping[str, Any]:
    text = resources.files("talekeeper.tools").joinpath("tools.yaml").read_text("utf-8")
    loaded: Mapping[str, Any] = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return loaded


def _argument(given: Mapping[str, Any] | str) -> tuple[Mapping[str, Any], bool]:
    """An argument's spec and whether it is required; ``"links!"`` is the common argument, required."""
    if isinstance(given, str):
        return _catalogue()["common"][given.removesuffix("!")], given.endswith("!")
    return given, bool(given.get("required"))


def _call(session: DispatchSession, verb: str, arguments: Mapping[str, Any]) -> str:
    required = {name for name, spec in _catalogue()["tools"][verb]["arguments"].items() if _argument(spec)[1]}
    given = {name: value for name, value in arguments.items() if value is not None or name in required}
    method: Callable[..., Any] = getattr(session, verb)
    return str(method(**given).as_text())


def _invoked(tool: StructuredTool, call: ToolCall) -> ToolMessage:
    from langchain_core.messages import ToolMessage

    answer = tool.invoke(call)
    if not isinstance(answer, ToolMessage):
        raise TypeError(f"{tool.name} answered a tool call with {type(answer).__name__}")
    return answer


def _observed(session: DispatchSession, text: str) -> WriteRefused | None:
    try:
        session.observe(text)
    except WriteRefused as refused:
        return refused
    return None


def _out_of_order(refusals: list[WriteRefused]) -> bool:
    return any(violation.rule == "P1" for refused in refusals for violation in refused.violations)


def _explained(verb: str, language: Language) -> Callable[[Any], str]:
    """Turn pydantic's complaint about argument names into the nearest right name."""
    names = list(_catalogue()["tools"][verb]["arguments"])

    def explain(error: Any) -> str:
        faults = error.errors() if isinstance(error, ValidationError) else []
        lines = []
        for fault in faults:
            name = ".".join(str(part) for part in fault["loc"])
            if fault["type"] == "extra_forbidden":
                near = ", ".join(nearest(name, names, limit=1)) or "—"
                lines.append(_note("unknown_argument", language, tool=PREFIX + verb, name=name, nearest=near))
            else:
                lines.append(_note("missing_argument", language, tool=PREFIX + verb, name=name))
        return "\n".join(lines) or str(error)

    return explain


def _note(key: str, language: Language, **values: object) -> str:
    return str(_catalogue()["notes"][key][language]).format(**values)
