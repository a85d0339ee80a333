"""Where the real chats, cards and novels lie that some tests read; they are not part of the project.

Set ``TALEKEEPER_REAL_DATA`` to a folder of the same layout to use other files.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_DEFAULT = Path(__file__).resolve().parents[2] / "shared" / "data" / "real"
_FOLDER = Path(os.environ.get("TALEKEEPER_REAL_DATA", _DEFAULT))
REAL: Path | None = _FOLDER if _FOLDER.is_dir() else None


def real(path: str) -> Path:
    """The real file at ``path``; skips the test, saying so, where it is absent."""
    if REAL is None or not (REAL / path).exists():
        pytest.skip(f"real data absent: {_FOLDER / path}")
    return REAL / path
