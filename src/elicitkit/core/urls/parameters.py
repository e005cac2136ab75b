"""Names of parameters that give away what they carry, in lower case and less their joiners.

What each reason code means is in ``docs/urls.md``.
"""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SECRET: Final = _words(
    "accesstoken refreshtoken idtoken token authtoken apitoken sessiontoken securitytoken "
    "apikey xapikey accesskey secretkey privatekey secret clientsecret clientassertion "
    "password passwd pwd passphrase pin otp authorization bearer jwt assertion samlresponse "
    "sessionid session sid jsessionid phpsessid aspsessionid cftoken credential credentials "
    "sig signature xamzsignature xamzcredential xamzsecuritytoken xgoogsignature "
    "xgoogcredential magiclink magictoken logintoken ticket"
)
"""Whoever has the value is let in somewhere."""

PERSONAL: Final = _words(
    "email emailaddress mail useremail phone phonenumber tel telephone mobile msisdn ssn "
    "socialsecuritynumber pan cardnumber creditcard ccnumber cvv cvc iban dob dateofbirth "
    "birthdate birthday passport passportnumber nationalid taxid firstname lastname fullname "
    "streetaddress"
)
"""The value is about a person."""

LEADING: Final = _words(
    "redirect redirecturl redirecturi redirectto return returnto returnurl returnuri next "
    "continue continueurl url uri u goto dest destination target forward forwardurl out link "
    "callback callbackurl cb rurl service relaystate backurl successurl cancelurl jump view "
    "postlogoutredirecturi"
)
"""The value is where the browser is sent next."""
