"""Which names of models are accepted."""

from __future__ import annotations

import pytest

from talekeeper.agents.voices import resolve_voice
from talekeeper.memory.errors import ModelError
from talekeeper.memory.models import Language


@pytest.mark.parametrize("language", ["zh", "en"])
def test_builtin_voice_is_signed_with_name_version_and_language(language: Language) -> None:
    voices = resolve_voice("builtin", language)
    assert voices.name == "builtin"
    assert voices.fingerprint.endswith(f"/{language}")


def test_any_other_model_is_refused_and_the_accepted_one_is_named() -> None:
    with pytest.raises(ModelError, match="gpt-oss") as caught:
        resolve_voice("openai:gpt-oss", "zh")
    assert "builtin" in str(caught.value)
