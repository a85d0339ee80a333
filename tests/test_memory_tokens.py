from __future__ import annotations

from talekeeper.memory.tokens import count_tokens


def test_counts_are_those_of_o200k() -> None:
    assert count_tokens("") == 0
    assert count_tokens("hello world") == 2
    assert count_tokens("你好世界") == 2
    assert count_tokens("<|endoftext|>") > 1
    assert count_tokens("\ud83d") == count_tokens("\ufffd")
