"""Simplified Chinese. The same keys and places to fill as ``en.py``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TEXTS: Final[Mapping[str, str]] = {
    # Who asks, and what.
    "ask.from": "提问方：{who}",
    "ask.claims": "它自称：{claimed}（由对方自报，未经核实）",
    "ask.about": "起因：{request}",
    "ask.count": "需要填写的项数：{count}",
    "ask.waiting": "后面还在等待的提问数：{count}",
    "ask.hidden": "以下项的类型无法识别，不在此显示，也不会发送：{names}",
    "ask.unsupported": "此提问要求填写无法识别的类型：{names}。提问已结束，未作答复。",
    # One field.
    "field.heading": "第 {place} 项，共 {count} 项，提交给 {who}：{label}（{need}，{kind}）",
    "field.required": "必填",
    "field.optional": "选填",
    "kind.text": "文本",
    "kind.number": "数字",
    "kind.integer": "整数",
    "kind.boolean": "是或否",
    "kind.choice": "单选",
    "kind.choices": "多选",
    "hint.between_characters": "{low} 到 {high} 个字符。",
    "hint.min_characters": "至少 {low} 个字符。",
    "hint.max_characters": "最多 {high} 个字符。",
    "hint.between": "从 {low} 到 {high}。",
    "hint.min": "不小于 {low}。",
    "hint.max": "不大于 {high}。",
    "hint.between_options": "选 {low} 到 {high} 项。",
    "hint.min_options": "至少选 {low} 项。",
    "hint.max_options": "最多选 {high} 项。",
    "hint.choices": "输入编号或名称，用逗号分隔。",
    "hint.choice": "输入编号或名称。",
    "hint.boolean": "输入“是”或“否”（也可输入 yes 或 no）。",
    "hint.email": "电子邮件地址，例如 name@example.com。",
    "hint.uri": "完整的网址或其他 URI，例如 https://example.com。",
    "hint.date": "日期，例如 2026-02-28。",
    "hint.date-time": "带时区的日期和时间，例如 2026-02-28T10:00:00Z。",
    "hint.format": "格式（服务器所写）：{format}",
    "hint.pattern": "须符合模式 {pattern}",
    "value.yes": "是",
    "value.no": "否",
    "value.option": "{title}（发送 {const}）",
    "value.nothing": "一项也不选",
    "value.lines": "{value}（核对时显示全文）",
    # What Enter does at a field.
    "state.suggested": "建议值：[{value}]。按回车采用。",
    "state.suggested_optional": "建议值：[{value}]。按回车采用，输入 - 则不填此项。",
    "state.answered": "您的回答：[{value}]。按回车保留。",
    "state.answered_optional": "您的回答：[{value}]。按回车保留，输入 - 则不填此项。",
    "state.empty_optional": "按回车则不填此项。",
    "state.empty_required": "此项必须填写。",
    "state.left_out": "此项不填。按回车保持不填。",
    "state.bad": "您输入了：[{raw}]。",
    "state.bad_suggested": "您输入了：[{raw}]。按回车则改用建议值 [{value}]。",
    "state.bad_optional": "您输入了：[{raw}]。按回车则不填此项。",
    # Commands and slips.
    "command.short": (
        "随时可用：:decline（拒绝提供）、:cancel（暂不回答）、:back（上一项）、:help（帮助）"
    ),
    "command.help": (
        "输入回答后按回车。在核对步骤确认发送之前，任何内容都不会发出。\n"
        "直接按回车，保留 [方括号] 中的内容。\n"
        "输入 - 表示不填某个选填项。若回答本身就是 -，请输入 --\n"
        ":empty（留空）以空文本或空列表作答。\n"
        ":reset（恢复）清除您的回答并恢复建议值。\n"
        ":back（返回）回到上一项。:review（核对）进入核对步骤。\n"
        ":message（问题）重新显示提问。:more（更多）继续显示长文本。\n"
        ":decline（拒绝）明确拒绝提供。\n"
        ":cancel（取消）暂不回答，不作决定。按 Ctrl-D，或连按两次 Ctrl-C，效果相同。\n"
        "若回答以 : 开头，请在前面再加一个冒号，即以 :: 开头输入。"
    ),
    "command.unknown": (
        "此处没有命令 {word}。输入 :help 查看命令列表。若回答以 : 开头，请以 :: 开头输入。"
    ),
    "command.not_here": "{word} 在此处不起作用。",
    "command.nothing_more": "没有更多内容了。",
    "command.more": "…（还有 {count} 行，输入 :more 继续阅读）",
    "slip.error": "未采用：{label}：{error}",
    "slip.needed": "此项必填，不能不填。",
    "slip.no_empty": "只有文本或列表可以为空。",
    "slip.controls": "未采用：这一行含有方向键之类的非文本按键。请重新输入。",
    "slip.encoding": "未采用：这一行无法按 {encoding} 读取。请重新输入。",
    "slip.early": "在此提示出现之前输入的内容已被丢弃。",
    "slip.interrupt": "再按一次 Ctrl-C 即取消（暂不回答）。",
    # The review.
    "review.heading": "核对：确认发送后，以下内容将提交给 {who}",
    "review.row": "{place}. {label}：{value}（{source}）",
    "review.row_not_sent": "{place}. {label}：不发送",
    "review.row_error": "{place}. {label}：{error}",
    "review.row_bad": "{place}. {label}：[{raw}] {error}",
    "review.suggested": "建议值",
    "review.yours": "您的回答",
    "review.actions": (
        "输入 S（发送）；输入编号可修改该项；:decline（拒绝提供）；:cancel（暂不回答）"
    ),
    "review.enter": "尚未发送。输入 S 并按回车才会发送。",
    "review.unknown": "尚未发送。输入 S 发送，或输入某一项的编号。",
    "review.problems": "尚未发送。需要您处理的项数：{count}",
    "review.problem": "{label}：{error}",
    # A question of one yes or no.
    "confirm.actions": (
        "输入“是”或“否”（也可输入 yes 或 no），按回车后即提交给 {who}。"
        "也可以：:decline（拒绝提供）、:cancel（暂不回答）、:help（帮助）"
    ),
    "agree.actions": (
        "没有需要填写的内容。输入“是”（或 yes）表示同意，按回车后即提交给 {who}。"
        "输入“否”（或 no）或 :decline 表示拒绝提供。:cancel 表示暂不回答。:help 查看帮助。"
    ),
    "confirm.enter": "尚未发送。请输入“是”或“否”。",
    # How it ended.
    "end.accept": "您的回答将提交给 {who}。",
    "end.decline": "已拒绝。{who} 会得知您拒绝提供，不会得到任何数据。",
    "end.cancel": "已取消。未向 {who} 作出回答。",
    "end.withdrawn": "{who} 已不再等待此回答。没有发送任何内容。",
    "text.cut": "…（还有 {n} 个字符）",
    # What is wrong with an answer.
    "error.required": "此项必须填写。",
    "error.wrong_type.content": "回答必须是一个对象，每个字段对应一个值。",
    "error.wrong_type.text": "此项必须是文本。",
    "error.wrong_type.number": "此项必须是数字。",
    "error.wrong_type.integer": "此项必须是整数。",
    "error.wrong_type.boolean": "此项必须是“是”或“否”。",
    "error.wrong_type.choice": "此项必须是选项之一。",
    "error.wrong_type.choices": "此项必须是选项的列表。",
    "error.not_integer": "此项必须是整数，不能带小数。",
    "error.not_finite": "此项必须是可以写出的数字，不能是无穷大。",
    "error.too_short": "请至少输入 {limit} 个字符。",
    "error.too_short.one": "请至少输入一个字符。",
    "error.too_long": "请最多输入 {limit} 个字符。",
    "error.too_long.one": "请最多输入一个字符。",
    "error.too_small": "此项不能小于 {limit}。",
    "error.too_large": "此项不能大于 {limit}。",
    "error.bad_format.email": "此项必须是电子邮件地址，例如 name@example.com。",
    "error.bad_format.uri": "此项必须是完整的网址或其他 URI，例如 https://example.com。",
    "error.bad_format.date": "此项必须是日历上存在的日期，例如 2026-02-28。",
    "error.bad_format.date-time": ("此项必须是带时区的日期和时间，例如 2026-02-28T10:00:00Z。"),
    "error.no_match": "此项必须符合模式 {pattern}",
    "error.no_match.long": "此项不符合所要求的模式。",
    "error.not_an_option": "请从以下选项中选择一项：{options}。",
    "error.not_an_option.many": "请从 {count} 个选项中选择一项。",
    "error.not_an_option.choices": "只能从以下选项中选择：{options}。",
    "error.not_an_option.choices_many": "只能从 {count} 个选项中选择。",
    "error.too_few": "请至少选择 {limit} 项。",
    "error.too_few.one": "请至少选择一项。",
    "error.too_many": "请最多选择 {limit} 项。",
    "error.too_many.one": "请最多选择一项。",
    "error.unknown_field": "没有询问过此字段，请去掉。",
    "error.unreadable.integer": "请用普通数字写一个整数，例如 42。",
    "error.unreadable.number": "请用普通数字写一个数，例如 3.5。",
    "error.unreadable.boolean": "请回答“是”或“否”。",
    "error.unreadable.choice": "没有这个选项。请输入某个选项的编号或名称。",
    "error.unreadable.choices": "其中有的不是选项。请输入选项的编号或名称，用逗号分隔。",
    "error.ambiguous": "有多个选项叫这个名称。请改为输入编号。",
    "error.unsupported": "这种类型的问题无法在此回答。",
}
