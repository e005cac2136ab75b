"""What an inspection costs, against the bare parser and a look-up in the public suffix list.

10,000 URLs in one process: ten each of 1,000 hosts, shuffled, as servers send them; a tenth
are OAuth requests, a twentieth of the hosts is beyond ASCII. The second line has every host
for the first time: hosts are remembered, and this is what remembering them saves.

CPU seconds of this process, the two sides in turn, medians.
"""

import random
import sys
import time
from collections.abc import Callable
from statistics import median

from ada_url import URL
from publicsuffixlist import PublicSuffixList

from elicitkit.core.urls import inspect_url
from elicitkit.core.urls.hosts import look_at

SIZE = 10_000
PAIRS = 7
AIM = 3.0

HOSTS = ("mcp{}.example.com", "agent.host{}.co.uk", "user{}.github.io", "login.firm{}.de")
BEYOND_ASCII = ("www.müller{}.de", "señal{}.es", "пример{}.рф", "例子{}.cn")
OAUTH = (
    "/authorize?response_type=code&client_id=cli"
    "&redirect_uri=http%3A%2F%2F127.0.0.1%3A33418%2Fcallback"
    "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
    "&state=af0ifjsldk{}"
)
PATHS = (
    "/connect?elicitationId=github-oauth-{}",
    "/e/8fK2mQ{}",
    "/ui/set_api_key?n={}",
    "/device",
    "/{}",
    "/settings/integrations/github?step={}",
    "/e/{}#start",
    "/connect/{}?lang=en",
    "/",
    OAUTH,
)


def urls(hosts: int) -> list[str]:
    names = [
        (BEYOND_ASCII if at % 20 == 0 else HOSTS)[(at // 20 if at % 20 == 0 else at) % 4].format(at)
        for at in range(hosts)
    ]
    each = SIZE // hosts
    made = [
        f"https://{name}{PATHS[(at + turn) % len(PATHS)].format(turn)}"
        for at, name in enumerate(names)
        for turn in range(each)
    ]
    random.Random(1).shuffle(made)
    return made


def seconds(run: Callable[[], object]) -> float:
    look_at.cache_clear()
    started = time.process_time()
    run()
    return time.process_time() - started


def compare(name: str, given: list[str]) -> float:
    suffixes = PublicSuffixList()

    def bare() -> None:
        for one in given:
            url = URL(one)
            assert url.href
            suffixes.privatesuffix(url.hostname)

    def ours() -> None:
        for one in given:
            inspect_url(one)

    assert all(inspect_url(one).verdict == "ok" for one in given)
    bare()
    pairs = [(seconds(ours), seconds(bare)) for _ in range(PAIRS)]
    ratio = median(mine / theirs for mine, theirs in pairs)
    mine, theirs = (median(side) / len(given) * 1e6 for side in zip(*pairs, strict=True))
    print(f"{name:36} {mine:7.2f} us   bare {theirs:6.2f} us   ratio {ratio:5.2f}", end="   ")
    return ratio


def main() -> int:
    ratio = compare("10,000 URLs of 1,000 hosts", urls(1_000))
    met = ratio <= AIM
    print(f"aim {AIM:.2f}   {'ok' if met else 'MISSED'}")
    compare("10,000 URLs of 10,000 hosts", urls(SIZE))
    print("no aim")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
