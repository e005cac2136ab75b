"""Names beyond ASCII: honest ones in any script pass, and each spoof has its code. Ours.

The honest names are ordinary words; the list of scripts is that of the languages which
have names of their own in the DNS.
"""

from __future__ import annotations

import pytest

from elicitkit.core.urls import inspect_url

_NAMES = """
bücher.de größe.de öbb.at zürich.ch café.fr naïve.fr œuvre.fr españa.es coração.pt ærø.dk
åland.fi smörgåsbord.se blåbær.no þórr.is føroyar.fo tõnu.ee rīga.lv žemaitija.lt kraków.pl
żółw.pl škoda.cz slovenský.sk čaj.si đakovo.hr ćevapi.rs győr.hu bucurești.ro ığdır.com.tr
şəki.az malti-ġgant.mt tiếng-việt.vn đồng.vn l·l.cat col·lecció.cat
россия.рф пример.com новости.com київ.ua българия.bg србија.срб қазақстан.қаз монгол.мн
песок.com курс.com хор.com работа.com ελλάδα.gr παράδειγμα.com ευρώπη.ευ
հայաստան.հայ օրինակ.com თბილისი.ge მაგალითი.com
中国.cn 例子.测试 台灣.台灣 第一财经.com 一号店.com 二手车.com 十八.cn google中国.com 360安全.cn
58同城.com 人口.cn 一.com ㄅㄆㄇ.com
日本.jp ひらがな.jp ラーメン.jp コーヒー.com ノート.jp パン屋.jp ハワイへ行こう.jp ヘルプ.jp
nttドコモ.jp 時々.jp ア・ラ・カルト.jp か\u309a.jp へ.jp 한국.kr 네이버.com lg전자.kr
ไทย.com ประเทศไทย.ไทย नमस्ते.com भारत.भारत বাংলাদেশ.বাংলা তথ্য.com தமிழ்.com తెలుగు.భారత్
ಕನ್ನಡ.ಭಾರತ മലയാളം.com ગુજરાતી.ભારત ਪੰਜਾਬੀ.ਭਾਰਤ ଓଡ଼ିଆ.ଭାରତ සිංහල.ලංකා
العربية.com مثال.إختبار پاکستان.پاکستان فارسی.ir ישראל.co.il ኢትዮጵያ.et አማርኛ.com မြန်မာ.com
ខ្មែរ.com ລາວ.ລາວ བོད.com ދިވެހި.com ২০২৪.com १२३.com
"""
HONEST = _NAMES.split()

SPOOFS = {
    "idn_restricted_char": "ɡoogle.example o\u02bcreilly.com ᏔᎻᎪ.com ḅank.example نامه\u200cای.com",
    "idn_mixed_script": "pаypal.example gοοgle.example abცd.com héllo中国.cn abहिन्दी.in аβγ.com",
    "idn_mixed_digits": "a1۱.example.com १২.com",
    "idn_combining": "xn--1ca20i.com й\u0306\u0306.com i\u0307a.com ı\u0301a.com "
    "नमस्ते\u0301.com か\u309aa.com か\u0301.com a\u0301\u0301b.com j\u0323\u0307a.com",
    "idn_tld_char": "þing.com eðli.com əa.com l·l.com a·l.cat l·a.cat l·l·.cat",
    "idn_whole_script": "ѕсоре.com раураӏ.com ск.com ονο.com օօօ.com ჿყ.com סו.com ทน.com ဝင.com "
    "ሀዐ.com ০.com ०ठ.com ૦ર.com ੦.com ೦ಠ.com ഠം.com ଠ୦.com பட.com ౦ర.com сосо.uk",
    "idn_digit_lookalike": "੨੨੨.com ৪৪.com 1ვ.com зз.com ㄐ丩.com",
    "idn_slash_like": "exampleノevil.com comソlogin.example ノabc.com abcノ.com a丶b.com",
    "idn_kana": "モヒートへブン.com ひらヘがな.com aーb.com a・b.com aヽ.com",
    "idn_cjk_like": "google丨.com ip一address.com 一google.com ab口cd.com a丨中.com ㄧgoogle.com",
    "idn_emoji": "🔒bank.example.com ❤.com i❤.ws",
    "lookalike": "pàypàl.com facebööк.com gíthub.com goøgle.com ámazon.com þaypal.com twıtter.com",
}


@pytest.mark.parametrize("host", HONEST)
def test_an_honest_name_passes_in_any_script(host: str) -> None:
    found = inspect_url(f"https://{host}/")
    assert (found.verdict, found.reasons, found.notices) == ("ok", (), ("idn_notice",))


@pytest.mark.parametrize(
    ("code", "host"), [(code, host) for code, hosts in SPOOFS.items() for host in hosts.split()]
)
def test_a_spoofed_name_warns_and_says_why(code: str, host: str) -> None:
    found = inspect_url(f"https://{host}/")
    if found.reasons in (("invalid_url",), ("invalid_idn",)):
        pytest.fail(f"{host!a} is no name, so it tests nothing")
    assert found.verdict == "warn"
    assert code in found.reasons


@pytest.mark.parametrize(
    "host", ["example.com⁄login.evil.example", "a։b.com", "a؟b.com", "a٪b.com"]
)
def test_what_passes_for_the_end_of_a_host_is_refused(host: str) -> None:
    found = inspect_url(f"https://{host}/")
    assert found.verdict == "refuse"
    assert {"delimiter_lookalike", "invalid_url"} & set(found.reasons)


def test_arabic_digits_of_a_name_are_no_dots() -> None:
    # UTS #39 has the zero and the full stop confused, but the zero is a digit of names.
    assert inspect_url("https://سال۱۴۰۰.ir/").verdict == "ok"


def test_a_fault_of_two_labels_is_told_once() -> None:
    assert inspect_url("https://ab\u0446d.ef\u0446g.com/").reasons == ("idn_mixed_script",)


@pytest.mark.parametrize("top", ["bg", "by", "kz", "ru", "su", "ua", "uz"])
def test_letters_at_home_in_a_domain_are_not_suspicious_there(top: str) -> None:
    assert inspect_url(f"https://оаоа.{top}/").verdict == "ok"
    assert inspect_url("https://оаоа.net/").reasons == ("idn_whole_script",)
