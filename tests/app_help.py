"""What the tests of the command line share: small chats of our own, and a way to call a command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from talekeeper.app.cli import app

CHATS: dict[str, list[tuple[str, str]]] = {
    "zh": [
        ("林晚照", "【永和三年正月初八 酉时·照夜坊】林晚照把最后一盏鱼灯挂上檐角。昨夜有人偷走了青灯。"),
        ("沈砚", "*我走进院子。* “我叫沈砚，想借宿一晚。”"),
        ("林晚照", "林晚照收留了沈砚。沈砚答应三日之内找回青灯。"),
        ("沈砚", "*天没亮我就去了渡口。*"),
        ("林晚照", "【正月初九 卯时·渡口】秦伯认出了那截船绳。"),
        ("沈砚", "*我把青灯放到柜上。*"),
        ("林晚照", "【正月十一 卯时·照夜坊】沈砚把青灯交还给林晚照，青灯找回来了，他的承诺已经兑现。"),
    ],
    "en": [
        ("Wren Alder", "[1897-02-08 19:00 · Lantern House] Wren hung the last paper fish. The Green Lamp was stolen."),
        ("Silas Reed", '*I come in.* "I am Silas Reed; may I stay?"'),
        ("Wren Alder", "Wren took Silas Reed in. Silas promised to find the Green Lamp within three days."),
        ("Silas Reed", "*Before dawn I go to the landing.*"),
        ("Wren Alder", "[1897-02-09 06:00 · Ferry Landing] Old Quill recognised the rope."),
        ("Silas Reed", "*I set the bundle on the counter.*"),
        ("Wren Alder", "[1897-02-11 06:30 · Lantern House] The Green Lamp was found and his promise was kept."),
    ],
}
PLAYER = {"zh": "沈砚", "en": "Silas Reed"}
KEEPER = {"zh": "林晚照", "en": "Wren Alder"}


def write_chat(
    path: Path, language: str, *, count: int | None = None, more: list[tuple[str, str]] | None = None
) -> Path:
    """A SillyTavern chat at ``path``; ``count`` cuts it short, ``more`` goes on with it."""
    rows: list[dict[str, Any]] = [
        {"user_name": PLAYER[language], "character_name": KEEPER[language], "chat_metadata": {}},
    ]
    messages = CHATS[language][:count] + (more or [])
    for number, (name, text) in enumerate(messages):
        sent = f"2026-02-03T11:{number:02d}:00.000Z"
        rows.append({"name": name, "is_user": name == PLAYER[language], "send_date": sent, "mes": text})
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    return path


def run(*args: str | Path, env: dict[str, str] | None = None) -> Result:
    """Call the command line in this process, labels in English unless ``env`` says otherwise."""
    return CliRunner().invoke(app, [str(a) for a in args], env={"TALEKEEPER_UI": "en", "COLUMNS": "160", **(env or {})})


def document(*args: str | Path) -> dict[str, Any]:
    """The one JSON document that a command prints; it must succeed."""
    result = run(*args, "--json")
    assert result.exit_code == 0, result.output
    loaded: dict[str, Any] = json.loads(result.stdout)
    return loaded
