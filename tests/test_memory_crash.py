"""A process killed in the middle of writing leaves a library that opens, checks clean and goes on."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

from talekeeper.memory.library import Library
from tests.memory_story import new_story

WRITER = """
import pathlib, sys
from talekeeper.memory.library import Library
from tests.memory_story import commit, draft, node
story = Library.open(pathlib.Path(sys.argv[1])).story("听雪楼")
with story.lease("writer"):
    while True:
        unit = story.append_unit(draft(f"第{story.unit_count()}夜，" + "长夜漫漫。" * 50))
        number = story.reader().next_ids()["event"]
        commit(story, node(f"event_{number}", f"第{number}件事", unit, summary="x"), batch=[unit], kind="facts")
        print("ready", flush=True)
"""


def test_kill_in_the_middle_of_writing(tmp_path: Path) -> None:
    new_story(tmp_path).library.close()
    chance = random.Random(5)
    events = 0
    for _ in range(4):
        with subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            time.sleep(chance.uniform(0.05, 0.3))
            process.kill()
        with Library.open(tmp_path) as library:
            assert library.check() == []
            story = library.story("听雪楼")
            assert len(story.uncurated()) <= story.unit_count() - len(story.reader().commits())
            assert len(story.reader().events(None, leaves=True)) == story.head_seq >= events
            events = story.head_seq
    assert events >= 4
