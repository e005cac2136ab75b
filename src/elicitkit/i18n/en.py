"""English. Every key here has its text in ``zh.py``, with the same places to fill."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from elicitkit.core.check import MESSAGES
from elicitkit.core.text import CUT
from elicitkit.core.typed import READING_MESSAGES
from elicitkit.i18n import en_consent, en_urls

TEXTS: Final[Mapping[str, str]] = {
    # Who asks, and what.
    "ask.from": "Question from {who}",
    "ask.claims": "It calls itself {claimed} (its own words, not checked)",
    "ask.about": "Asked for: {request}",
    "ask.count": "Fields to fill in: {count}",
    "ask.place": "Question {place} of {count}",
    "ask.dropped": "{count} more questions of this server were cancelled: too many at once",
    "ask.dropped.one": "1 more question of this server was cancelled: too many at once",
    "ask.hidden": "Not shown here and not sent, because this kind is not known: {names}",
    "ask.unsupported": (
        "This question needs an answer of a kind that is not known here: {names}. "
        "It was ended without an answer."
    ),
    "permission.option": "Do you allow this?",
    # One field.
    "field.heading": "{place} of {count} for {who}: {label} ({need}, {kind})",
    "field.unnamed": "Your answer",
    "field.required": "required",
    "field.optional": "optional",
    "kind.text": "text",
    "kind.number": "number",
    "kind.integer": "whole number",
    "kind.boolean": "yes or no",
    "kind.choice": "choose one",
    "kind.choices": "choose any number",
    "kind.choice_other": "choose one, or write your own",
    "own.row": "{label} (write your own answer)",
    "own.unnamed": "Other",
    "own.write": "Write your own answer.",
    "own.back": "Enter alone goes back to the options.",
    "hint.between_characters": "Characters: {low} to {high}.",
    "hint.min_characters": "Characters: {low} or more.",
    "hint.max_characters": "Characters: {high} or fewer.",
    "hint.between": "From {low} to {high}.",
    "hint.min": "{low} or more.",
    "hint.max": "{high} or less.",
    "hint.between_options": "Options to choose: {low} to {high}.",
    "hint.min_options": "Options to choose: {low} or more.",
    "hint.max_options": "Options to choose: {high} or fewer.",
    "hint.choices": "Write numbers or names with commas between them.",
    "hint.choice": "Write the number or the name.",
    "hint.boolean": "Write yes or no.",
    "hint.email": "An e-mail address, such as name@example.com.",
    "hint.uri": "A full web address or other URI, such as https://example.com.",
    "hint.date": "A date, such as 2026-02-28.",
    "hint.date-time": "A date and a time with its zone, such as 2026-02-28T10:00:00Z.",
    "hint.format": "Format, as the server names it: {format}",
    "hint.pattern": "Has to match the pattern {pattern}",
    "value.yes": "yes",
    "value.no": "no",
    "value.option": "{title} (sends {const})",
    "value.other": "other: {text}",
    "value.nothing": "nothing chosen",
    "value.lines": "{value} (shown whole at the review)",
    # What Enter does at a field.
    "state.suggested": "Suggested: [{value}]. Enter keeps it.",
    "state.suggested_optional": "Suggested: [{value}]. Enter keeps it, - leaves this out.",
    "state.answered": "Your answer: [{value}]. Enter keeps it.",
    "state.answered_optional": "Your answer: [{value}]. Enter keeps it, - leaves this out.",
    "state.empty_optional": "Enter leaves this out.",
    "state.empty_required": "An answer is needed.",
    "state.left_out": "Left out. Enter keeps it so.",
    "state.bad": "You typed: [{raw}].",
    "state.bad_suggested": "You typed: [{raw}]. Enter takes the suggestion [{value}] instead.",
    "state.bad_optional": "You typed: [{raw}]. Enter leaves this out instead.",
    # Commands and slips.
    "command.short": (
        "At every prompt: :decline (No, do not give), :cancel (Not now), :back, :help"
    ),
    "command.help": (
        "Type an answer and press Enter. Nothing leaves before you send it at the review.\n"
        "Enter alone keeps what stands in [brackets].\n"
        "- leaves an optional answer out. To answer with - itself, type --\n"
        ":empty answers with an empty text or an empty list.\n"
        ":reset forgets your answer and brings the suggestion back.\n"
        ":back goes to the field before this one. :review goes to the review.\n"
        ":message shows the question again. :more goes on with a long text.\n"
        ":decline says no for good: No, do not give.\n"
        ":cancel leaves without a decision: Not now. So do Ctrl-D, and Ctrl-C twice.\n"
        "To answer with a text that begins with : type it with :: in front."
    ),
    "command.help_extend": ":extend starts the time limit anew.",
    "command.help_mute": (
        ":mute cancels this and every further question of this server; it asks you first."
    ),
    "command.unknown": (
        "There is no command {word} here. Type :help for the list. "
        "For an answer that begins with : type it with :: in front."
    ),
    "command.not_here": "{word} does nothing here.",
    "command.nothing_more": "There is nothing more to read.",
    "command.more": "… (lines left: {count}. Type :more to read on)",
    "slip.error": "Not taken: {label}: {error}",
    "slip.needed": "This field is required, so it cannot be left out.",
    "slip.no_empty": "Only a text or a list can be empty.",
    "slip.controls": (
        "Not taken: that line holds keys that are no text, such as arrows. Type it again."
    ),
    "slip.encoding": "Not taken: that line is not readable as {encoding}. Type it again.",
    "slip.early": "Lines typed before this prompt were thrown away.",
    "slip.interrupt": "Press Ctrl-C again to cancel (Not now).",
    # The review.
    "review.heading": "Review: this goes to {who} when you send it",
    "review.row": "{place}. {label}: {value} ({source})",
    "review.row_not_sent": "{place}. {label}: not sent",
    "review.row_error": "{place}. {label}: {error}",
    "review.row_bad": "{place}. {label}: [{raw}] {error}",
    "review.suggested": "suggested",
    "review.yours": "yours",
    "review.actions": (
        "[S]end, a number to change that answer, :decline (No, do not give), or :cancel (Not now)"
    ),
    "review.enter": "Nothing was sent. Type S and press Enter to send.",
    "review.unknown": "Nothing was sent. Type S to send, or the number of a field.",
    "review.problems": "Not sent yet. Fields that need you: {count}",
    "review.problem": "{label}: {error}",
    # A question of one yes or no.
    "confirm.actions": (
        "Type yes or no. It is sent to {who} when you press Enter. "
        "Or :decline (No, do not give), :cancel (Not now), :help"
    ),
    "agree.actions": (
        "There is nothing to fill in. Type yes to agree: that is sent to {who} when you press "
        "Enter. no or :decline says No, do not give. :cancel is Not now. :help"
    ),
    "confirm.enter": "Nothing was sent. Type yes or no.",
    # The time limit.
    "limit.left": "Time left to answer: {time}",
    "limit.minutes": "{minutes} min",
    "limit.both": "{minutes} min {seconds} s",
    "limit.seconds": "{seconds} s",
    "limit.extend": ":extend starts the time anew.",
    "limit.kept": "What you have typed on this line still counts. Ctrl-R shows it again.",
    "limit.extended": "The time starts anew.",
    "limit.none": "This question has no time limit.",
    # Muting a server.
    "mute.ask": (
        "Mute {who}? That cancels this question and every further one of this server, "
        "without showing them. No answer is given."
    ),
    "mute.how": "Type yes to mute. Anything else goes back to the question.",
    "mute.kept": "Not muted. {who} may go on asking.",
    # How it ended.
    "end.accept": "Your answer goes to {who}.",
    "end.decline": "Declined. {who} is told no, and gets no data.",
    "end.cancel": "Cancelled. No answer was given to {who}.",
    "end.muted": "Muted. Questions of {who} are cancelled from now on. No answer was given.",
    "end.withdrawn": (
        "{who} no longer waits for this answer. It was not delivered: nothing was sent."
    ),
    "end.timed_out": ("The time is up. Your answer was not delivered to {who}: nothing was sent."),
    # The form in which a person moves about.
    "full.do.review": "Review and send",
    "full.do.send": "Send to {who}",
    "full.do.back": "Go back",
    "full.do.yes": "Yes (this is sent to {who})",
    "full.do.no": "No (this is sent to {who})",
    "full.do.agree": "Yes, I agree (this is sent to {who})",
    "full.do.decline": "No, do not give",
    "full.do.cancel": "Not now",
    "full.do.go_on": "Go on answering",
    "full.do.help": "Help",
    "full.do.read": "Read the whole question",
    "full.do.extend": "Start the time anew",
    "full.do.mute": "Mute {who}",
    "full.do.mute_yes": "Mute {who}",
    "full.menu": "What would you like to do? Your answers are kept.",
    "full.nothing_to_fill": "There is nothing to fill in. Do you agree?",
    "full.suggested": "Suggested: [{value}]. It is sent unless you change it.",
    "full.answered": "Your answer: [{value}].",
    "full.left_out": "Left out: it is not sent.",
    "full.unanswered": "Not answered: it is not sent.",
    "full.filter": "Find: ",
    "full.no_match": "No option has {text} in its name.",
    "full.tick": "Nothing is ticked yet. Space ticks the marked option.",
    "full.sure": "Your answers would be lost. Press Enter again if you mean it.",
    "full.no_text": "Nothing can be typed here.",
    "full.pasted": "Pasted line breaks were taken out.",
    "full.cut": "… (lines left: {count}. F2 shows all)",
    "full.extend_how": "Ctrl-T starts the time anew.",
    "full.keys.fields": (
        "Up, Down: move. Enter, or just type: answer. Delete: leave out. "
        "Esc: Not now, No, and more. F1: help"
    ),
    "full.keys.typing": "Enter: take it. Up, Down: other fields. Esc: back. F1: help",
    "full.keys.picking": "Up, Down: move. Type to narrow. Enter: choose. Esc: back. F1: help",
    "full.keys.ticking": (
        "Up, Down: move. Type to narrow. Space: tick. Enter: take the ticks. Esc: back. F1: help"
    ),
    "full.keys.review": (
        "Up, Down: move. Enter: change that answer, or do what the line says. "
        "S: go to Send. Esc: back"
    ),
    "full.keys.ask": "Up, Down: move, then Enter. Esc: more. F1: help",
    "full.keys.menu": "Up, Down: move, then Enter. Esc: back",
    "full.keys.mute": "Up, Down: move, then Enter. Esc: back",
    "full.keys.reading": "Up, Down, Page Up, Page Down: read on. Enter or Esc: back",
    "full.help": (
        "Move with Up and Down, in any order. Nothing leaves before you send it at the review.\n"
        "Enter answers the marked field, and so does typing; typing replaces what you wrote "
        "before.\n"
        "A suggestion is sent unless you change it. Tab puts it into an empty line to change it.\n"
        "Delete leaves an optional answer out. Ctrl-R brings the suggestion back.\n"
        "Ctrl-O answers with an empty text or an empty list.\n"
        "In a list, type part of a name to find it. Space ticks where several can be chosen.\n"
        "F2 shows the whole question. Home and End go to the first and the last line.\n"
        "Esc goes back and keeps what you typed. At the form it opens a list: "
        "Not now, No, do not give, and more.\n"
        "Not now leaves without a decision. So do Ctrl-D, and Ctrl-C twice.\n"
        "No, do not give says no for good."
    ),
    "full.help_extend": "Ctrl-T starts the time limit anew.",
    "full.help_mute": (
        "Mute, behind Esc, cancels this and every further question of this server; "
        "it asks you first."
    ),
    **en_consent.TEXTS,
    **en_urls.TEXTS,
    "text.cut": CUT,
    **{f"error.{code}": text for code, text in {**MESSAGES, **READING_MESSAGES}.items()},
}
