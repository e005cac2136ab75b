"""English for opening a URL and for waiting until its page is done; a part of ``en.py``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TEXTS: Final[Mapping[str, str]] = {
    # What is shown before consent.
    "consent.what": "It asks you to open a web page of this site:",
    "consent.what_unknown": "It asks you to open a web page, but whose it is cannot be told.",
    "consent.domain": "DOMAIN: {domain}",
    "consent.readable": "{host} is {readable}, as people write it",
    "consent.address": "The whole address:",
    "consent.received": "As it came from the server:",
    "consent.returns": "Afterwards it returns to: {url}",
    "consent.verdict": "About this address: {verdict}",
    "consent.opening.browser": "It opens in your browser.",
    "consent.opening.by_hand": (
        "No browser can be started from here. Copy the address, all of its lines, into a browser "
        "on your machine."
    ),
    "consent.opening.failed": (
        "The browser did not report a start. If the page is not open: copy the address, all of "
        "its lines, into a browser "
        "yourself, or leave it."
    ),
    # The choices, as lines are typed.
    "consent.act.browser": (
        "Type open to open {host}. {who} is told that you agreed, and nothing more."
    ),
    "consent.act.by_hand": (
        "Type open if you will open {host} yourself. {who} is told that you agreed, and nothing "
        "more."
    ),
    "consent.act.failed": "Type opened once you have opened {host} yourself.",
    "consent.act.typed": "To open {host} all the same, type {domain} and press Enter.",
    "consent.act.never": "This address is not opened from here, whatever you type.",
    "consent.ways": "Or :decline (No, do not open), :cancel (Not now), :help",
    "consent.nothing": "Nothing was opened.",
    "consent.another": "Nothing was opened: that is not what has to be typed.",
    "consent.help": (
        "Enter alone opens nothing. Nothing here sees what you do on the page.\n"
        ":message shows the question and the address again. :more goes on with a long text.\n"
        ":decline or no says no for good: No, do not open.\n"
        ":cancel leaves without a decision: Not now. So do Ctrl-D, and Ctrl-C twice."
    ),
    # The choices, as rows to move among.
    "consent.do.browser": "Open {host}",
    "consent.do.by_hand": "I will open {host}",
    "consent.do.failed": "I have opened {host}",
    "consent.do.decline": "No, do not open",
    "consent.do.go_on": "Back to the question",
    "consent.menu": "What would you like to do?",
    "consent.unmarked": "Nothing was opened. Move to a line, then press Enter.",
    "consent.keys.ask": "Up, Down: move, then Enter. F2: read all. Esc: more. F1: help",
    "consent.keys.typing": "Enter: take it. Esc: back. F1: help",
    "consent.keys.wait": "Up, Down: move, then Enter. F2: read all. F1: help",
    "consent.keys_told": (
        "Move with Up and Down, and press Enter. Nothing is marked at first, and nothing is "
        "opened before you say so. Nothing here sees what you do on the page.\n"
        "Where the address gives reason to look twice, you are asked to type its domain as well.\n"
        "F2 shows the whole question with the whole address.\n"
        "Esc goes back. At the question it opens a list: Not now, No, do not open, and more.\n"
        "Not now leaves without a decision. So do Ctrl-D, and Ctrl-C twice.\n"
        "No, do not open says no for good."
    ),
    # How it ended.
    "consent.end.browser": "You agreed: {host} is opened in your browser.",
    "consent.end.by_hand": "You agreed to open {host} yourself. {who} is told so.",
    "consent.end.failed": "You opened {host} yourself. {who} is told that you agreed.",
    # While a page is open.
    "wait.from": "{who} waits for you to finish on a web page",
    "wait.page": "The page is of this site:",
    "wait.opened.browser": "It was opened in your browser.",
    "wait.opened.by_hand": (
        "No browser can be started from here. Copy the address, all of its lines, into a browser "
        "on your machine."
    ),
    "wait.opened.failed": (
        "The browser did not report a start. If the page is not open: copy the address, all of "
        "its lines, into a browser "
        "yourself."
    ),
    "wait.pending": "{who} was asked again meanwhile, and still waits.",
    "wait.act.browser": (
        "Type again to open it again, finished when you have finished, or give up. "
        ":message shows the address, :help tells more."
    ),
    "wait.act.by_hand": (
        "Type again to see the address again, finished when you have finished, or give up. :help"
    ),
    "wait.act.failed": (
        "Type again to try the browser again, finished when you have finished, or give up. :help"
    ),
    "wait.nothing": "The page is still waited for.",
    "wait.help": (
        "There is no hurry: the wait also ends by itself when the server says that it is done.\n"
        "finished tells the server to look for itself. It is not told what you did.\n"
        "give up ends the wait; so do :cancel, Ctrl-D, and Ctrl-C twice. "
        "The page itself stays open.\n"
        ":message shows the question and the whole address."
    ),
    "wait.interrupt": "Press Ctrl-C again to give up.",
    "wait.do.browser": "Open it again",
    "wait.do.by_hand": "Show the address again",
    "wait.do.failed": "Try the browser again",
    "wait.do.finished": "I have finished",
    "wait.do.give_up": "Give up",
    "wait.unmarked": "The page is still waited for. Move to a line, then press Enter.",
    "wait.keys_told": (
        "Move with Up and Down, and press Enter. F2 shows the question and the whole address.\n"
        "There is no hurry: the wait also ends by itself when the server says that it is done.\n"
        "I have finished tells the server to look for itself. It is not told what you did.\n"
        "Give up ends the wait; so do Ctrl-D, and Ctrl-C twice. The page itself stays open."
    ),
    # Why a wait is over.
    "wait.ended.completed": "{who} says that it is completed. You can close the page.",
    "wait.ended.finished": "You said that you have finished. {who} goes on.",
    "wait.ended.given_up": "You gave up on the page of {who}. It is no longer waited for.",
    "wait.ended.result": "{who} has come to its result. The page is no longer waited for.",
    "wait.ended.disconnected": (
        "The connection to {who} has ended. The page is no longer waited for."
    ),
    "wait.ended.idle": "{who} gave no sign for too long. The page is no longer waited for.",
}
