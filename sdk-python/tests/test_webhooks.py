from __future__ import annotations

import base64
import hashlib
import hmac
import json
import unittest
from datetime import datetime, timezone
from typing import Any

import slipway
from slipway import webhooks

RAW_KEY = b"thirty-two bytes of a test key.."
SECRET = "whsec_" + base64.b64encode(RAW_KEY).decode()
SECONDS = 1_764_000_000
NOW = datetime.fromtimestamp(SECONDS + 0.9, timezone.utc)
BODY = json.dumps({"id": "evt_1", "type": "ping", "schemaVersion": 1, "data": {"text": "Grüße"}}, ensure_ascii=False)


def signed(body: bytes = BODY.encode()) -> dict[str, str]:
    mac = hmac.digest(RAW_KEY, f"evt_1.{SECONDS}.".encode() + body, hashlib.sha256)
    signature = f"v1,{base64.b64encode(mac).decode()}"
    return {"Webhook-Id": "evt_1", "WEBHOOK-TIMESTAMP": str(SECONDS), "webhook-signature": signature}


class WebhooksTest(unittest.TestCase):
    def fault(self, body: Any, headers: dict[str, str]) -> str:
        with self.assertRaises(webhooks.WebhookVerificationError) as raised:
            webhooks.verify(body, headers, SECRET, now=NOW)
        return raised.exception.code

    def test_a_body_as_bytes_or_text_is_verified(self) -> None:
        for body in (BODY, BODY.encode(), bytearray(BODY.encode()), memoryview(BODY.encode())):
            event = webhooks.verify(body, signed(), SECRET, now=NOW)  # type: ignore[arg-type]
            assert isinstance(event, slipway.PingV1)
            self.assertEqual(event.data, {"text": "Grüße"})

    def test_any_changed_byte_is_refused(self) -> None:
        for at in range(len(BODY.encode())):
            changed = bytearray(BODY.encode())
            changed[at] ^= 1
            self.assertEqual(self.fault(bytes(changed), signed()), "no_matching_signature")

    def test_an_unknown_type_or_version_is_an_unknown_event(self) -> None:
        changes: list[dict[str, Any]] = [
            {"type": "no.such_type"},
            {"schemaVersion": 99},
            {"type": None},
            {"schemaVersion": []},
        ]
        for change in changes:
            body = json.dumps({**json.loads(BODY), **change}).encode()
            event = webhooks.verify(body, signed(body), SECRET, now=NOW)
            self.assertIsInstance(event, slipway.UnknownEvent)
            self.assertEqual(event.id, "evt_1")

    def test_a_signed_body_that_is_no_event_is_refused(self) -> None:
        for body in (b"no JSON", b"[]", b"7", b"\xff", b'{"data": 7}'):
            self.assertEqual(self.fault(body, signed(body)), "malformed_body")

    def test_the_tolerance_can_be_changed(self) -> None:
        later = datetime.fromtimestamp(SECONDS + 11, timezone.utc)
        webhooks.verify(BODY, signed(), SECRET, now=later)
        with self.assertRaises(webhooks.WebhookVerificationError):
            webhooks.verify(BODY, signed(), SECRET, now=later, tolerance_seconds=10)

    def test_odd_headers_are_refused(self) -> None:
        for name, value, code in (
            ("WEBHOOK-TIMESTAMP", "１７６４００００００", "malformed_header"),
            ("WEBHOOK-TIMESTAMP", f"{SECONDS}.5", "malformed_header"),
            ("WEBHOOK-TIMESTAMP", f"-{SECONDS}", "malformed_header"),
            ("webhook-signature", "v1,", "no_matching_signature"),
            ("webhook-signature", "v1,Grüße \udcff", "no_matching_signature"),
            ("webhook-signature", "", "missing_header"),
            ("Webhook-Id", "evt.1", "malformed_header"),
        ):
            self.assertEqual(self.fault(BODY, {**signed(), name: value}), code)

    def test_a_malformed_secret_is_refused_without_showing_it(self) -> None:
        encoded = SECRET.removeprefix("whsec_")
        for secret in (
            "",
            "whsec_",
            encoded,
            f"whsec_{encoded}\n",
            f"whsec_{encoded[:-1]}",
            "whsec_!!!!",
            "whsec_Grüße",
        ):
            with self.assertRaises(TypeError) as raised:
                webhooks.verify(BODY, signed(), secret, now=NOW)
            self.assertEqual(
                str(raised.exception), "A signing secret must be whsec_ and base64, as the Console shows it."
            )
        others: list[Any] = [None, [], 7, [None], {}]
        for other in others:
            with self.assertRaisesRegex(TypeError, "^secret must be a signing secret or a list of them.$"):
                webhooks.verify(BODY, signed(), other, now=NOW)

    def test_a_parsed_body_is_refused(self) -> None:
        with self.assertRaisesRegex(TypeError, "^raw_body must be the body as it arrived"):
            webhooks.verify(json.loads(BODY), signed(), SECRET, now=NOW)
