"""The names that phishing borrows most, link shorteners, and the words that go with them.

A small list by hand, not a ranking: it is there for the mistake that costs an account. The
names of a person's own servers and sites come in as ``known_hosts``.

What each reason code means is in ``docs/urls.md``.
"""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DISTINCT: Final = _words(
    "paypal google microsoft amazon facebook instagram whatsapp linkedin netflix dropbox "
    "github gitlab openai chatgpt anthropic coinbase binance metamask cloudflare docusign "
    "atlassian bankofamerica wellsfargo americanexpress alipay taobao wechat weixin "
    "microsoftonline googleapis youtube telegram icloud appleid"
)
"""Names that no ordinary word is near to: one wrong letter is no accident."""

SHORT: Final = _words(
    "apple slack stripe chase okta notion zoom discord twitter baidu citibank claude"
)
"""Names with ordinary words around them: only what looks the same, or comes with bait."""

TENANTS: Final = _words(
    "github gitlab openai anthropic atlassian telegram cloudflare slack stripe okta notion zoom "
    "discord twitter claude"
)
"""Names that honest organisations put before their own: ``gitlab.example.org``."""

BAIT: Final = _words(
    "login signin sso auth verify verification secure security account accounts support help "
    "update billing payment payments wallet password recovery unlock confirm service services"
)
"""What comes before or after a borrowed name."""

OWN_DOMAINS: Final = _words(
    "paypal.com google.com googleapis.com google-analytics.com microsoft.com live.com "
    "microsoftonline.com office.com amazon.com amazonaws.com amazon-adsystem.com facebook.com "
    "instagram.com whatsapp.com linkedin.com netflix.com dropbox.com github.com gitlab.com "
    "openai.com chatgpt.com anthropic.com claude.ai claude.com coinbase.com binance.com "
    "metamask.io cloudflare.com docusign.com docusign.net atlassian.com atlassian.net "
    "bankofamerica.com wellsfargo.com americanexpress.com alipay.com taobao.com wechat.com "
    "youtube.com telegram.org icloud.com apple.com slack.com stripe.com chase.com okta.com "
    "auth0.com notion.so zoom.us discord.com twitter.com baidu.com citibank.com"
)
"""Where these names are at home; nothing under them is a lookalike."""

SHORTENERS: Final = _words(
    "tinyurl.com bit.ly t.co goo.gl ow.ly is.gd v.gd buff.ly rebrand.ly cutt.ly tiny.cc rb.gy "
    "shorturl.at s.id t.ly lnkd.in dwz.cn t.cn url.cn suo.im git.io amzn.to fb.me bl.ink adf.ly "
    "trib.al surl.li clck.ru u.to urlz.fr shorturl.com soo.gd db.tt"
)
"""Hosts whose links say nothing about where they lead."""
