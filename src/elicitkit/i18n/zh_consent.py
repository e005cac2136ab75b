"""Simplified Chinese for opening a URL and for waiting until its page is done; a part of
``zh.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TEXTS: Final[Mapping[str, str]] = {
    # What is shown before consent.
    "consent.what": "对方请您打开以下网站的一个网页：",
    "consent.what_unknown": "对方请您打开一个网页，但无法判断网页属于谁。",
    "consent.domain": "域名：{domain}",
    "consent.readable": "{host} 通常写作 {readable}",
    "consent.address": "完整网址：",
    "consent.received": "服务器发来的原文：",
    "consent.returns": "完成后将返回：{url}",
    "consent.verdict": "关于这个网址：{verdict}",
    "consent.opening.browser": "网页会在您的浏览器中打开。",
    "consent.opening.by_hand": (
        "此处无法启动浏览器。请复制完整网址（包括每一行），在您自己电脑的浏览器中打开。"
    ),
    "consent.opening.failed": (
        "浏览器没有报告已启动。如果网页没有打开，请复制完整网址（包括每一行），自行在浏览器中打开，或者不打开。"
    ),
    # The choices, as lines are typed.
    "consent.act.browser": (
        "输入 open（打开）即打开 {host}。{who} 只会得知您同意了，不会得到其他信息。"
    ),
    "consent.act.by_hand": (
        "若您会自行打开 {host}，请输入 open（打开）。{who} 只会得知您同意了，不会得到其他信息。"
    ),
    "consent.act.failed": "自行打开 {host} 之后，请输入 opened（已打开）。",
    "consent.act.typed": "若仍要打开 {host}，请输入 {domain} 并按回车。",
    "consent.act.never": "无论输入什么，此处都不会打开这个网址。",
    "consent.ways": "也可以：:decline（拒绝打开）、:cancel（暂不回答）、:help（帮助）",
    "consent.nothing": "没有打开任何网页。",
    "consent.another": "没有打开任何网页：输入的内容与要求的不符。",
    "consent.help": (
        "直接按回车不会打开任何网页。您在网页上做什么，这里看不到。\n"
        ":message（问题）重新显示提问和网址。:more（更多）继续显示长文本。\n"
        ":decline（拒绝）或“否”（no）表示明确拒绝打开。\n"
        ":cancel（取消）暂不回答，不作决定。按 Ctrl-D，或连按两次 Ctrl-C，效果相同。"
    ),
    # The choices, as rows to move among.
    "consent.do.browser": "打开 {host}",
    "consent.do.by_hand": "我会自行打开 {host}",
    "consent.do.failed": "我已自行打开 {host}",
    "consent.do.decline": "拒绝打开",
    "consent.do.go_on": "回到提问",
    "consent.menu": "您想做什么？",
    "consent.unmarked": "没有打开任何网页。请先移到某一行，再按回车。",
    "consent.keys.ask": "上下键移动，回车确定。F2：查看全文。Esc：更多。F1：帮助",
    "consent.keys.typing": "回车：确定。Esc：返回。F1：帮助",
    "consent.keys.wait": "上下键移动，回车确定。F2：查看全文。F1：帮助",
    "consent.keys_told": (
        "用上下键移动，按回车确定。开始时没有选中任何一行；在您确定之前，不会打开任何网页。"
        "您在网页上做什么，这里看不到。\n"
        "如果网址有可疑之处，还会请您输入它的域名。\n"
        "F2 显示完整的提问和网址。\n"
        "Esc 返回上一级。在提问处按 Esc 会打开列表：暂不回答、拒绝打开等。\n"
        "“暂不回答”表示不作决定就离开。按 Ctrl-D，或连按两次 Ctrl-C，效果相同。\n"
        "“拒绝打开”表示明确拒绝。"
    ),
    # How it ended.
    "consent.end.browser": "您已同意：{host} 将在您的浏览器中打开。",
    "consent.end.by_hand": "您已同意自行打开 {host}。{who} 会得知您同意了。",
    "consent.end.failed": "您已自行打开 {host}。{who} 会得知您同意了。",
    # While a page is open.
    "wait.from": "{who} 正在等您在网页上完成操作",
    "wait.page": "网页属于以下网站：",
    "wait.opened.browser": "网页已在您的浏览器中打开。",
    "wait.opened.by_hand": (
        "此处无法启动浏览器。请复制完整网址（包括每一行），在您自己电脑的浏览器中打开。"
    ),
    "wait.opened.failed": (
        "浏览器没有报告已启动。如果网页没有打开，请复制完整网址（包括每一行），自行在浏览器中打开。"
    ),
    "wait.pending": "期间又问过 {who}，对方仍在等待。",
    "wait.act.browser": (
        "输入 again（再次打开）、finished（已完成）或 give up（放弃）。"
        ":message 显示网址，:help 查看帮助。"
    ),
    "wait.act.by_hand": (
        "输入 again（再次打开）可再次显示网址；也可输入 finished（已完成）或 give up（放弃）。"
        ":help 查看帮助。"
    ),
    "wait.act.failed": (
        "输入 again（再次打开）可再试一次浏览器；也可输入 finished（已完成）或 give up（放弃）。"
        ":help 查看帮助。"
    ),
    "wait.nothing": "仍在等待这个网页。",
    "wait.help": (
        "不必着急：服务器表示完成后，等待也会自动结束。\n"
        "finished（已完成）让服务器自行查看结果，不会告诉它您做了什么。\n"
        "give up（放弃）结束等待；:cancel、Ctrl-D、连按两次 Ctrl-C 也一样。网页本身不会关闭。\n"
        ":message（问题）显示提问和完整网址。"
    ),
    "wait.interrupt": "再按一次 Ctrl-C 即放弃等待。",
    "wait.do.browser": "再次打开",
    "wait.do.by_hand": "再次显示网址",
    "wait.do.failed": "再试一次浏览器",
    "wait.do.finished": "我已完成",
    "wait.do.give_up": "放弃",
    "wait.unmarked": "仍在等待这个网页。请先移到某一行，再按回车。",
    "wait.keys_told": (
        "用上下键移动，按回车确定。F2 显示提问和完整网址。\n"
        "不必着急：服务器表示完成后，等待也会自动结束。\n"
        "“我已完成”让服务器自行查看结果，不会告诉它您做了什么。\n"
        "“放弃”结束等待；Ctrl-D、连按两次 Ctrl-C 也一样。网页本身不会关闭。"
    ),
    # Why a wait is over.
    "wait.ended.completed": "{who} 表示已经完成。您可以关闭网页了。",
    "wait.ended.finished": "您表示已经完成。{who} 将继续。",
    "wait.ended.given_up": "您已放弃 {who} 的网页，不再等待。",
    "wait.ended.result": "{who} 已有结果，不再等待这个网页。",
    "wait.ended.disconnected": "与 {who} 的连接已断开，不再等待这个网页。",
    "wait.ended.idle": "{who} 太久没有消息，不再等待这个网页。",
}
