"""Events that repeat, that name strangers or that hold a model's machinery (E12, E13, E16), and look-alikes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from talekeeper.evals.rule_corpus.classes import subject, with_sentence
from talekeeper.evals.rule_corpus.false_alarms import honest
from talekeeper.evals.rule_corpus.sample import Corpus, Sample, broken, pick, valid, worlds
from talekeeper.memory.models import Language


def _repeats(language: Language) -> Iterator[Sample]:
    """E12."""
    for world in worlds(language):
        for index, scene in enumerate(world.scenes):
            told = world.event(index)
            recent = tuple(world.event(n) for n in range(len(world.scenes)))
            others = tuple(summary for n, summary in enumerate(recent) if n != index)
            yield broken(subject(world, told, recent_summaries=recent), f"scene {index} again")
            yield broken(subject(world, told.replace("\n", "\r\n"), recent_summaries=recent), "with other breaks")
            swapped = told.replace("。", "！").replace(".", "!")
            yield broken(subject(world, swapped, recent_summaries=recent), "with other marks")
            broad = told.translate({ord(","): "，", ord("."): "。"})
            yield broken(subject(world, broad, recent_summaries=(*others, told)), "with wide marks")
            yield valid(subject(world, told, recent_summaries=others), f"scene {index} after the others")
            short = world.event(index, prose=pick(language, ("众人休息。",), ("They rested.",))[0], irreversible=())
            later = short.replace(scene.time, world.scenes[(index + 1) % len(world.scenes)].time)
            yield valid(subject(world, short, recent_summaries=(later,)), "a routine turn at another time")
            mixed = world.event(index, prose=world.scenes[(index + 1) % len(world.scenes)].text(language))
            yield valid(subject(world, mixed, recent_summaries=(told,)), "the same place, other prose")
            yield valid(subject(world, told), "nothing before it")


_STRANGERS = {
    "zh": (
        "赵启明把信烧了。",
        "{a}与冯玉堂在码头见面。",
        "萧景琰对{a}起了疑心。",
        "{b}向谭嗣同借了马。",
        "欧阳锋被{a}拦在门外。",
        "{a}认识安德烈·莫罗。",
        "{b}付钱给Jonathan。",
        "{a}随孟将军出城。",
        "{b}抵达云梦城。",
        "诸葛明将钥匙交给{b}。",
        "蒋校长批准了{a}的请求。",
        "{a}前往苍梧镇。",
        "Margaret把{b}带走了。",
        "裴世安在{b}走后搬了进来。",
    ),
    "en": (
        "{a} met Jonathan at the dock.",
        "{b} borrowed a horse from Whitlock.",
        "Arthur Pemberton burned the papers.",
        "{a} left for Ravensburg.",
        "{b} gave the key to Priscilla.",
        "The order came from Lord Blackthorn.",
        "{a} was seen with Theodora and Crispin.",
        "{b} stayed at the Gilded Stag.",
        "{a} joined the Order of Saint Bavo.",
        "{b} owes money to Lazarus.",
        "Then Quentin Marlowe arrived.",
        "{a} sailed for Zanzibar.",
        "The sword Dawnbringer went to {b}.",
        "{b} wrote to Ottoline.",
    ),
}
_NO_STRANGERS = {
    "zh": (
        "周围的人都散了。",
        "黄昏时{a}走了。",
        "许多人留在岸上。",
        "孙子把门关了。",
        "林中起了雾，{b}在原地等。",
        "王府的门关着。",
        "陈设被搬空了。",
        "何时启程由{b}决定。",
        "{a}走进山谷。",
        "{b}离开小镇。",
        "夏天过后{a}才回来。",
        "程序被{b}改了。",
        "顾客把{a}围住。",
        "钱被{b}收走。",
        "{a}用GPS找到了路。",
        "{b}回到城里。",
    ),
    "en": (
        "They left on Monday.",
        "The captain and {a} agreed.",
        "I is a letter, and {b} carved it.",
        "In May {a} came back.",
        "Nobody told {b}.",
        "After the storm {a} repaired the roof.",
        "The English guests left, and {b} stayed.",
        "{a} found the DNA sample.",
        "Mr and Mrs next door helped {b}.",
        "Both of them swam to the shore.",
        "Rain fell, and {a} waited.",
        "God knows where {b} hid it.",
        "{b}'s brother came.",
        "Snow closed the road to the North.",
        "The Captain obeyed {a}.",
        "Soldiers came for {b}.",
    ),
}


def _strangers(language: Language) -> Iterator[Sample]:
    """E13."""
    context = pick(
        language, ("赵启明、冯玉堂与萧景琰住在云梦城。",), ("Jonathan, Whitlock and Priscilla live in Ravensburg.",)
    )
    for number, sentence in enumerate(_STRANGERS[language]):
        for world in (worlds(language)[number % 5], worlds(language)[(number + 1) % 5]):
            whole = with_sentence(world, sentence)
            yield broken(subject(world, whole, context_text=world.event(0)), sentence)
            if number < 2:
                yield valid(subject(world, whole, context_text=f"{world.event(0)}\n{context[0]}"), f"shown: {sentence}")
                yield valid(subject(world, whole, known_names=None), f"names not known: {sentence}")
    for number, sentence in enumerate(_NO_STRANGERS[language]):
        world = worlds(language)[number % 5]
        yield valid(subject(world, with_sentence(world, sentence), context_text=world.event(0)), sentence)
    for item in honest(language):
        yield valid(item.subject(), item.summary.split("\n")[3])


_MACHINERY = {
    "zh": (
        "<think>先看地点。</think>",
        "</thought>",
        "```",
        "作为一个AI，我无法继续。",
        "很抱歉，我不能提供这段内容。",
        "memory_node_create",
        '{"type": "event"}',
        "<|im_end|>",
        "以下是总结：",
        "[/INST]",
        "Then she walked out of the room and never came back.",
        "彼女は部屋を出た。",
        "조용히 나갔다.",
        "Step 6 最终 prose:",
    ),
    "en": (
        "<think>Check the place first.</think>",
        "</thought>",
        "```",
        "As an AI, I stop here.",
        "I'm sorry, but I can't go on.",
        "memory_node_create",
        '{"type": "event"}',
        "<|im_end|>",
        "Here is the summary:",
        "[/INST]",
        "她走出房间，再也没有回来。",
        "彼女は部屋を出た。",
        "조용히 나갔다.",
        "Step 6 Final prose:",
    ),
}
_NO_MACHINERY = {
    "zh": (
        "{a}想了很久。",
        "{b}受雇于人工智能研究所。",
        "{a}的船叫Blue Moon。",
        "{b}拒绝协助{a}。",
        "{a}无法继续赶路。",
        "{b}道歉后离开。",
        "温度低于零下3<5度。",
        "{a}把系统重启了一遍。",
        "{b}写完了总结报告。",
        "{a}修好了AI-7号。",
        "{b}拿到DNA报告。",
        "{a}的思考没有结果。",
        "工具放回了箱子。",
        "{b}按提示打开了门。",
    ),
    "en": (
        "{a} thought for a long time.",
        "{b} works for an AI company.",
        "{a} could not assist {b}.",
        "{b} apologised and left.",
        "The pressure fell below 3 bar.",
        "{a} restarted the system.",
        "{b} finished the report.",
        "{a} repaired unit AI-7.",
        "The tool lay in the box.",
        "{b} opened the door by the code.",
        "{a} is unable to walk.",
        "The analysis took {b} a week.",
        "{a} called the function room.",
        "{b} named the ship Élan.",
    ),
}


def _machinery(language: Language) -> Iterator[Sample]:
    """E16."""
    for number in range(len(_MACHINERY[language])):
        for world in (worlds(language)[number % 5], worlds(language)[(number + 3) % 5]):
            bad = _MACHINERY[language][number].replace("{", "{{").replace("}", "}}")
            yield broken(subject(world, with_sentence(world, bad)), bad)
            good = _NO_MACHINERY[language][number]
            yield valid(subject(world, with_sentence(world, good)), good)
    for world in worlds(language):
        wrapped = f"```\n{world.event(0)}\n```"
        yield broken(subject(world, wrapped), "fenced")
        shown = 'system prompt {"type": 1}'
        label = pick(language, ("屏幕",), ("Screen",))[0]
        held = world.event(0, excerpts=((label, shown.replace('"', "'")),))
        yield valid(replace(subject(world, held), batch_text=shown), "on a screen in the story")


CORPUS: Corpus = {"E12": _repeats, "E13": _strangers, "E16": _machinery}
