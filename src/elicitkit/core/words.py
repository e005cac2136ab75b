"""The words by which a form that asks for a secret gives itself away, English and Chinese.

Data only; ``core/sensitive.py`` reads texts with them. Each entry is a fragment of a
regular expression over *read* text: lower case, camelCase, snake_case and kebab-case
split into words, one space between words, apostrophes dropped. English entries match
whole words, Chinese ones anywhere.

A list is a help, not a proof: it is there for the honest author who did not know the
rule (M01, A32, G30). Not here on purpose: "key", "code", "login" and "pass" by
themselves, and contact data (name, e-mail, phone, address, user name, birthday), which
no revision forbids.
"""

from __future__ import annotations

import re
from typing import Final


def _list(entries: str) -> tuple[str, ...]:
    """The entries, which commas part; a line that begins with ``|`` goes on with one."""
    joined = re.sub(r"\n\s*(?=\|)", "", entries)
    return tuple(filter(None, re.split(r",\s+", joined.strip() + " ")))


GLUED: Final = _list(
    r"""
    password, passwd, passphrase, apikey, apitoken, accesstoken, refreshtoken, authtoken,
    accesskey, secretkey, privatekey, clientsecret,
    """
)
"""Words that no harmless word ends in; they count with anything grown on in front."""

SECRETS: Final = _list(
    r"""
    pass ?words?, pass ?wd, pwd, pass ?phrases?, pass ?codes?, pass ?keys?, pin, pin ?codes?,
    (?:atm|bank|card) pins?, secrets?, secret (?:keys?|access keys?|phrase|question|answer),
    security (?:question|answer|code)s?, (?:client|app|application|consumer|shared|webhook
    |signing) ?secrets?, credentials?, creds, api ?(?:keys?|tokens?|secrets?), (?:access|secret
    |private|signing|encryption|decryption|master|session) ?keys?,
    (?:ssh |rsa |gpg |pgp )?private keys?, ssh keys?,
    (?:open ?ai|anthropic|stripe|aws|gemini|azure|github) keys?, service account (?:keys?|json),
    connection string, token, (?:access|refresh|auth|authentication|authorization|bearer|session
    |security|personal access|id|identity|csrf|bot|device|deploy|github|gitlab|slack|oauth
    |oauth2) ?tokens?, jwts?, json web tokens?, (?:github|gitlab|azure) pat, bearer,
    authorization header, session cookies?, (?:one time|single use) (?:codes?|passwords?
    |pass ?codes?|pins?|tokens?), (?:4|6|8|four|six|eight) digit (?:codes?|pins?), h?otps?,
    totps?, (?:2fa|mfa|two factor|2 factor|multi factor|authenticator|verification
    |authentication|authorization|auth|login|sign in|sms|reset|unlock|backup|recovery) ?codes?,
    (?:2fa|mfa) ?tokens?, recovery (?:phrases?|keys?|words?), backup (?:phrases?|keys?),
    (?:seed|mnemonic|wallet) (?:phrases?|words?), (?:wallet|recovery) (?:seed|mnemonic), cvv2?,
    cvc2?, card (?:verification|security) (?:value|code|number)s?, (?:(?:credit|debit|payment
    |bank) ?)?card ?(?:numbers?|no|expiry|expiration), (?:credit|debit|payment) ?cards?,
    payment (?:credentials?|card|card details),
    """
)
"""What grants access or authorises a transaction."""

SECRETS_ZH: Final = _list(
    r"""
    口令(?!人|我|牌|红包), (?:支付|登录|登陆|交易|取款|动态|手势)?密码,
    (?:api ?|访问|通行|加密|解密|签名|主)?密钥, 私钥,
    (?:访问|刷新|身份|认证|会话|个人访问)?令牌, (?:短信|动态)?验证码, 动态码,
    一次性(?:代码|密码|口令|验证码), 助记词, 种子短语, (?:恢复|备份)(?:码|短语|代码),
    (?:密保|安全)(?:问题|答案), 安全码, 授权码, 解锁码, pin ?码,
    (?:信用|借记|银行|储蓄)卡(?:号码|号|卡号)?, 卡号, (?:登录|登陆|访问|身份|支付|认证)凭[证据],
    凭据, 连接字符串,
    """
)

HARMLESS: Final = _list(
    r"""
    (?:max|maximum|min|minimum|input|output|prompt|completion|context|total|game|arcade|design
    |nft|utility|governance|stop|special) tokens?, (?:how many|number of|no of|amount of
    |count of) (?:[a-z0-9]+ )?tokens?, (?:as )?a token of,
    token of (?:appreciation|gratitude|esteem), tokens, token ring, (?:name|names|title|label
    |type|types|kind|count|length|strength|expiry|expiration|lifetime|owner|purpose|scopes?
    |format|location) (?:of|for) (?:(?:the|your|this|a|an|each|new|api|access) )*(?:pass ?words?
    |secrets?|credentials?|keys?|api ?keys?|tokens?), secret (?:santa|ingredient|recipe|garden
    |level|service|ballot|agent|society|menu|sauce|gift)s?, (?:trade|top|open) secrets?,
    (?:ring|standard|flag|pall) bearers?, (?:academic|teaching|professional|press|medical
    |educational) credentials?, verifiable credentials?, (?:gpio|data|clock|input|output|reset
    |led|map|bowling|drawing|firing|safety|analog|digital|signal|lapel|hat|enamel) ?pins?,
    pin to (?:the )?(?:top|board|wall|sidebar|start|home), pin (?:it|this|these|that|the|board
    |assignment|map|layout|out|color|colour), password(?:less| free), (?:gift|loyalty|membership
    |library|business|post|report|score|sim|graphics|sound) card ?(?:numbers?|no),
    credit card (?:brands?|type|network|company|issuer), not only, no later, no\. of,
    """
)
"""Phrases that hold a word of the lists and ask for no secret."""

HARMLESS_ZH: Final = _list(
    r"""
    密码(?:学|锁|子), (?:摩斯|摩尔斯|莫尔斯|凯撒|达芬奇|财富|基因|流量|成功)密码, 无密码,
    令牌桶, (?:会员|学生|借书|读者|门禁|校园|积分|礼品|购物|显|网)卡(?:卡)?号,
    (?:最大|最小|输入|输出|提示) ?令牌数?,
    """
)

ABOUT: Final = _list(
    r"""
    polic(?:y|ies), lengths?, strength, complexity, rules?, requirements, rotation, expiry,
    expiration, expires(?: in| at)?, lifetime, ttl, managers?, vaults?, counts?, limits?,
    budget, usage, window, size, cost, prices?, symbol, supply, economy, economics, holders?,
    contract, swap, sale, standard, per, provider, scopes?, permissions?, protect(?:ed|ion),
    sharing, reset, recovery email, (?:is |are )?not (?:needed|required|necessary),
    """
)
"""Right behind a secret word, these say the text is about it: "password policy"."""

ABOUT_LAST: Final = _list(
    r"""
    names?, types?, kinds?, labels?, alias, format, stores?, storage, location, region, owner,
    brand, network, prefix,
    """
)
"""The same, where nothing follows: "API key name", but not "API key: type it here"."""

ABOUT_ZH: Final = _list(
    r"""
    长度, 强度, 复杂度, 策略, 规则, 要求, 管理器, 管理工具, 类型, 名称, 名字, 数量, 数(?!字),
    个数, 总数, 上限, 下限, 限制, 用量, 有效期, 过期, 重置, 找回, 保护, 轮换, 权限, 品牌,
    (?:并)?(?:不需要|无需|不必|不用)(?:填写|输入|提供),
    """
)

TYPED: Final = _list(
    r"""
    ssn, social security(?: numbers?| no)?, social insurance(?: numbers?| no)?, (?:national
    |personal)(?: identity| identification| insurance| id)(?: numbers?| no| cards?)?,
    national id, (?:identity|identification|id) (?:numbers?|no|documents?|card(?: numbers?
    | no)?), passports?(?: numbers?| no| id)?, tax(?:payer)? ?(?:id|ids|identification|numbers?
    |no|file number), (?:drivers?|driving) licen[cs]e(?: numbers?| no)?, (?:medicare|medicaid
    |nhs|health card|health insurance|patient) (?:id|numbers?|no), aadhaar(?: numbers?| card)?,
    mothers maiden name, ibans?, bank (?:accounts?|details|data|information)(?: numbers?| no)?,
    account (?:numbers?|no), routing (?:numbers?|no), sort code, (?:swift|bic) codes?,
    """
)
"""Wide: identity numbers and bank data, which a person must type."""

TYPED_ZH: Final = _list(
    r"""
    身份证(?:号码|号)?, 护照(?:号码|号)?, 社保(?:卡号|账号|号码|号)?, 社会保障号码?,
    医保(?:卡号|账号|号)?, (?:驾驶证|驾照)(?:号码|号)?, 税号, 纳税人识别号,
    银行(?:账号|账户|帐号|帐户), 开户行,
    """
)

PRIVATE: Final = _list(
    r"""
    (?:medical|health) (?:history|conditions?|records?|information|data|status|issues?|insurance
    |problems?), mental health, diagnos[ie]s, medications?, prescriptions?, allerg(?:y|ies|ic),
    disabilit(?:y|ies), pregnan(?:t|cy), blood (?:type|group), hiv(?: status)?, illness(?:es)?,
    diseases?, sexual orientation, religio(?:n|us beliefs?),
    political (?:views?|opinions?|affiliation), ethnicity, ethnic origin,
    trade union membership, criminal (?:records?|convictions?), biometrics?, salary,
    (?:(?:annual|monthly|yearly|household) )?income, credit score, net worth,
    """
)
"""Wide: health, belief, money; a yes or a choice tells as much as a typed answer."""

PRIVATE_ZH: Final = _list(
    r"""
    病史, 病历, 健康(?:状况|信息|数据|记录), 疾病, 诊断(?!信息|日志|报告|模式|工具|数据), 用药,
    过敏(?!感), 残疾, 怀孕, 血型, 性取向, 宗教信仰, 政治面貌, 民族, 犯罪记录, 工资, 薪资,
    (?:月|年)?收入, 征信, 信用(?:评分|分), 指纹,
    """
)

WIDE_HARMLESS: Final = _list(
    r"""
    (?:error|crash|fault|problem|network|build|log) diagnosis,
    income (?:statement|tax|bracket)s?, passport (?:js|strategy|photo size),
    bank account holder name,
    """
)

ASKS: Final = _list(
    r"""
    (?:re ?)?enter, provide, (?:re )?type(?: in)?, input(?: your| the| an?),
    (?:give|giving me|giving us), drop your, send(?! you), share, submit, paste, supply, tell,
    insert, specify, state your, fill (?:in|out), hand over, please input, (?:choose|create|set
    |pick)(?= (?:an? )?(?:(?:new|strong|your) )*(?:pass ?word|pass ?phrase|pass ?code
    |pin)\b(?! manager)), reply with, respond with, what (?:is|are), whats, let me have,
    (?:sign|log) in with your, (?:confirm|verify|choose|set|create|update|use|want|add
    |include) (?:your|a new), (?:needs?|requires?) your, (?:i|we|ill|well) (?:(?:also|still
    |will) )?need (?:your|the|an?), your(?=(?: [a-z0-9]+){1,5} (?:is|are) (?:still )?(?:required
    |needed|missing)),
    """
)
"""A message that holds one of these before the word, in one sentence, asks for it."""

ASKS_ZH: Final = _list(
    r"""
    (?:请)?(?:重新)?(?:输入|填写|填入|键入|粘贴)(?!的|了|法|框|后), 提供(?!的|了|商|方|者),
    (?:告诉|告知)(?:我们|我)?, (?:发给|发送给|交给|给)(?:我们|我), 提交(?!的|了|后),
    (?:我们|我)?需要(?:您|你)的, (?:请)?设置(?:您|你)的, 请?把, 请?将(?:您|你)的, 请问,
    """
)

NEGATIONS: Final = _list(
    r"""
    (?:do|does|did|will|would|should|must|can|is|are) not, (?:dont|doesnt|didnt|wont|cant|cannot
    |isnt|arent|shouldnt|mustnt), not, never, no, no longer, without, neither, nor, rather than,
    instead of, except, avoid, (?:send|email|text|mail|sms) you,
    (?:we|well) (?:will )?(?:send|email|text|mail), to receive,
    """
)
"""What follows in the sentence is not asked for, or goes the other way."""

NEGATIONS_ZH: Final = _list(
    r"""
    请勿, 切勿, (?:而)?不是, 不要, 不会, 不能, 不得, 不应, 不可, 不含, 不包含, 无需, 不需要,
    不必, 不用, 从不, 绝不, 永不, 禁止, 没有, 避免,
    (?:我们)?(?:将|会)(?:向(?:您|你))?(?:发送|发), (?:用于|用来|以便)?(?:接收|收取),
    """
)

TURNS: Final = _list(
    r"""
    but, however, then, otherwise, 但是?, 而是, 只需要?, 然后,
    """
)
"""Ends a negation."""

TARGETS: Final = _list(
    r"""
    of, for, about, to(?! (?:us|me|continue|proceed)\b), from, in, on, by, using, that uses,
    """
)
"""What follows is not the thing asked for: "the region *of* the API key"."""

CLAUSES: Final = _list(
    r"""
    if, so, when, whether, because, that, which, before, after, while, once,
    """
)
"""Ends an ask: another clause begins."""

JOINS: Final = _list(
    r"""
    and, plus, with, as well as, 和, 与, 及, 以及,
    """
)
"""Another thing asked for follows."""

FILLERS: Final = _list(
    r"""
    please, the, your, an?, my, new, current, old, you, can, just, 请, 您的?, 你的?,
    """
)
"""Words that change nothing; a sentence of these and a secret word is an ask."""
