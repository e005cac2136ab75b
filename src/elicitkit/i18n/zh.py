"""Simplified Chinese. The same keys and places to fill as ``en.py``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from elicitkit.i18n import zh_consent, zh_urls

TEXTS: Final[Mapping[str, str]] = {
    # Who asks, and what.
    "ask.from": "提问方：{who}",
    "ask.claims": "它自称：{claimed}（由对方自报，未经核实）",
    "ask.about": "起因：{request}",
    "ask.count": "需要填写的项数：{count}",
    "ask.place": "第 {place} 个提问，共 {count} 个",
    "ask.dropped": "此服务器另有 {count} 个提问已被取消：一次来得太多",
    "ask.dropped.one": "此服务器另有 1 个提问已被取消：一次来得太多",
    "ask.hidden": "以下项的类型无法识别，不在此显示，也不会发送：{names}",
    "ask.unsupported": "此提问要求填写无法识别的类型：{names}。提问已结束，未作答复。",
    "permission.option": "您是否允许？",
    # One field.
    "field.heading": "第 {place} 项，共 {count} 项，提交给 {who}：{label}（{need}，{kind}）",
    "field.unnamed": "你的回答",
    "field.required": "必填",
    "field.optional": "选填",
    "kind.text": "文本",
    "kind.number": "数字",
    "kind.integer": "整数",
    "kind.boolean": "是或否",
    "kind.choice": "单选",
    "kind.choices": "多选",
    "kind.choice_other": "单选，也可自行填写",
    "own.row": "{label}（自行填写）",
    "own.unnamed": "其他",
    "own.write": "请自行填写回答。",
    "own.back": "直接按回车返回选项。",
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
    "value.other": "其他：{text}",
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
    "command.help_extend": ":extend（延时）重新开始计时。",
    "command.help_mute": ":mute（屏蔽）取消此服务器的本次及以后所有提问；会先请您确认。",
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
    # The time limit.
    "limit.left": "剩余作答时间：{time}",
    "limit.minutes": "{minutes} 分钟",
    "limit.both": "{minutes} 分 {seconds} 秒",
    "limit.seconds": "{seconds} 秒",
    "limit.extend": "输入 :extend（延时）可重新开始计时。",
    "limit.kept": "这一行已输入的内容仍然有效。按 Ctrl-R 可重新显示。",
    "limit.extended": "已重新开始计时。",
    "limit.none": "此提问没有时间限制。",
    # Muting a server.
    "mute.ask": (
        "要屏蔽 {who} 吗？屏蔽后，此服务器的本次及以后所有提问都会被取消，"
        "不再显示，也不会作出回答。"
    ),
    "mute.how": "输入“是”（或 yes）确认屏蔽。输入其他内容则回到提问。",
    "mute.kept": "未屏蔽。{who} 仍可继续提问。",
    # How it ended.
    "end.accept": "您的回答将提交给 {who}。",
    "end.decline": "已拒绝。{who} 会得知您拒绝提供，不会得到任何数据。",
    "end.cancel": "已取消。未向 {who} 作出回答。",
    "end.muted": "已屏蔽。{who} 今后的提问都会被取消。未作出回答。",
    "end.withdrawn": "{who} 已不再等待此回答。您的回答没有送达，没有发送任何内容。",
    "end.timed_out": "时间已到。您的回答没有送达 {who}，没有发送任何内容。",
    # The form in which a person moves about.
    "full.do.review": "核对并发送",
    "full.do.send": "发送给 {who}",
    "full.do.back": "返回修改",
    "full.do.yes": "是（将发送给 {who}）",
    "full.do.no": "否（将发送给 {who}）",
    "full.do.agree": "是，我同意（将发送给 {who}）",
    "full.do.decline": "拒绝提供",
    "full.do.cancel": "暂不回答",
    "full.do.go_on": "继续作答",
    "full.do.help": "帮助",
    "full.do.read": "阅读完整提问",
    "full.do.extend": "重新开始计时",
    "full.do.mute": "屏蔽 {who}",
    "full.do.mute_yes": "屏蔽 {who}",
    "full.menu": "您想做什么？已填写的内容会保留。",
    "full.nothing_to_fill": "没有需要填写的内容。您同意吗？",
    "full.suggested": "建议值：[{value}]。若不修改，将发送此值。",
    "full.answered": "您的回答：[{value}]。",
    "full.left_out": "此项不填，不会发送。",
    "full.unanswered": "尚未填写，不会发送。",
    "full.filter": "查找：",
    "full.no_match": "没有名称含有 {text} 的选项。",
    "full.tick": "尚未勾选。按空格键勾选当前选项。",
    "full.sure": "已填写的内容将会丢失。如确定，请再按一次回车。",
    "full.no_text": "此处不能输入文字。",
    "full.pasted": "已去掉粘贴内容中的换行。",
    "full.cut": "…（还有 {count} 行，按 F2 查看全文）",
    "full.extend_how": "按 Ctrl-T 重新开始计时。",
    "full.keys.fields": (
        "上下键：移动。回车或直接输入：作答。Delete：不填。Esc：暂不回答、拒绝等。F1：帮助"
    ),
    "full.keys.typing": "回车：确定。上下键：其他项。Esc：返回。F1：帮助",
    "full.keys.picking": "上下键：移动。输入文字：筛选。回车：选定。Esc：返回。F1：帮助",
    "full.keys.ticking": (
        "上下键：移动。输入文字：筛选。空格：勾选。回车：确定。Esc：返回。F1：帮助"
    ),
    "full.keys.review": "上下键：移动。回车：修改该项或执行该行操作。S：到“发送”。Esc：返回",
    "full.keys.ask": "上下键移动，回车确定。Esc：更多。F1：帮助",
    "full.keys.menu": "上下键移动，回车确定。Esc：返回",
    "full.keys.mute": "上下键移动，回车确定。Esc：返回",
    "full.keys.reading": "上下键、Page Up、Page Down：继续阅读。回车或 Esc：返回",
    "full.help": (
        "用上下键移动，可按任意顺序填写。在核对步骤确认发送之前，任何内容都不会发出。\n"
        "按回车或直接输入即可填写当前项；直接输入会替换之前写的内容。\n"
        "建议值若不修改就会发送。在空行中按 Tab 可取出建议值加以修改。\n"
        "Delete 表示不填某个选填项。Ctrl-R 恢复建议值。\n"
        "Ctrl-O 以空文本或空列表作答。\n"
        "在列表中输入名称的一部分即可查找。可多选时用空格勾选。\n"
        "F2 查看完整提问。Home 和 End 跳到第一行和最后一行。\n"
        "Esc 返回上一级，已输入的内容会保留。在表单处按 Esc 会打开列表：暂不回答、拒绝提供等。\n"
        "“暂不回答”表示不作决定就离开。按 Ctrl-D，或连按两次 Ctrl-C，效果相同。\n"
        "“拒绝提供”表示明确拒绝。"
    ),
    "full.help_extend": "Ctrl-T 重新开始计时。",
    "full.help_mute": "按 Esc 后可选择屏蔽：取消此服务器的本次及以后所有提问；会先请您确认。",
    "text.cut": "…（还有 {n} 个字符）",
    # What is wrong with an answer.
    "error.required": "此项必须填写。",
    "error.required.other": "请选择一个选项，或自行填写回答。",
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
    **zh_consent.TEXTS,
    **zh_urls.TEXTS,
}
