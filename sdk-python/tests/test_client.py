from __future__ import annotations

import json
import threading
import unittest
from typing import Any
from unittest import mock

import slipway
from slipway import _retry
from slipway._json import decode, encode
from slipway._response import retry_after_of

from .peer import ME, Peer, incomplete, peer, problem, raw, reply, reset

KEY = "slw_test_thisIsTheSecretThatNoOutputMayShow"
TICKET = {"id": "tkt_1", "serverId": "srv_1", "number": 7, "requester": None, "metadata": {"a": "b"}}


def client(to: Peer, **options: Any) -> slipway.SlipwayClient:
    return slipway.create_slipway(base_url=to.url, key=KEY, **options)


class ClientTest(unittest.TestCase):
    def test_a_call_sends_the_key_and_decodes_the_value(self) -> None:
        with peer(reply(200, {**ME, "further": True})) as one:
            me = client(one).get_me(headers={"X-Mine": "1", "Authorization": "Bearer other"})
        self.assertEqual(
            (me.app_id, me.scopes, me.expires_at.isoformat()), ("app_1", ["servers:read"], "2026-12-01T10:00:00+00:00")
        )
        [received] = one.received
        self.assertEqual((received.method, received.path), ("GET", "/v1/me"))
        self.assertEqual((received.headers["authorization"], received.headers["x-mine"]), (f"Bearer {KEY}", "1"))

    def test_parameters_are_escaped_and_omitted_if_none(self) -> None:
        with peer(reply(200, {"data": [], "nextCursor": None})) as one:
            client(one).list_publications("a/b?", limit=2, cursor="x&y").page()
            client(one).list_publications("srv_1").page()
        self.assertEqual(
            [received.path for received in one.received],
            ["/v1/servers/a%2Fb%3F/publications?limit=2&cursor=x%26y", "/v1/servers/srv_1/publications"],
        )

    def test_an_identifier_that_addresses_another_operation_is_refused(self) -> None:
        with peer(reply(200, ME)) as one:
            for wrong in ("", ".", "..", None):
                with self.assertRaises(TypeError):
                    client(one).get_server(wrong)  # type: ignore[arg-type]
        self.assertEqual(one.received, [])

    def test_an_unknown_option_is_refused(self) -> None:
        with peer(reply(200, ME)) as one, self.assertRaisesRegex(TypeError, "unknown option timeout_ms"):
            client(one).get_me(timeout_ms=1)  # type: ignore[call-arg]

    def test_a_malformed_key_or_address_is_refused_without_showing_it(self) -> None:
        for key in ("", "a b", "a\n", None):
            with self.assertRaisesRegex(TypeError, "^key must be an API key"):
                slipway.create_slipway(base_url="http://localhost", key=key)  # type: ignore[arg-type]
        for address in (
            "",
            "localhost",
            "ftp://a",
            "http://",
            "http://a:b@c",
            "http://a/?b",
            "http://a/#b",
            "http://a:x",
        ):
            with self.assertRaisesRegex(TypeError, "^base_url must be"):
                slipway.create_slipway(base_url=address, key=KEY)

    def test_no_output_shows_the_key(self) -> None:
        with peer(problem(403, "missing_scope")) as one:
            made = client(one)
            with self.assertRaises(slipway.SlipwayProblem) as raised:
                made.get_me()
        shown = [repr(made), repr(made._settings), repr(made.with_response), repr(raised.exception)]
        self.assertNotIn(KEY, " ".join(shown))

    def test_idle_connections_are_reused_by_one_thread_and_shared_by_several(self) -> None:
        with peer(reply(200, ME)) as one:
            made = client(one)
            made.get_me()
            made.get_me()
            threads = [threading.Thread(target=made.get_me) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(len(one.received), 6)
        self.assertEqual(one.received[0].client, one.received[1].client)

    def test_a_closed_client_has_no_idle_connection(self) -> None:
        with peer(reply(200, ME)) as one:
            with client(one) as made:
                made.get_me()
            made.get_me()
        self.assertNotEqual(one.received[0].client, one.received[1].client)

    def test_another_transport_gets_the_whole_request(self) -> None:
        given: list[slipway.Request] = []

        def transport(request: slipway.Request, timeout_seconds: float) -> slipway.Response:
            given.append(request)
            return slipway.Response(200, "OK", {"Request-Id": "req_2"}, json.dumps(ME).encode())

        made = slipway.create_slipway(base_url="https://api.example/base/", key=KEY, transport=transport)
        self.assertEqual(made.with_response.get_me().response.request_id, "req_2")
        self.assertEqual(repr(given[0]), "Request(GET https://api.example/base/v1/me)")

    def test_a_body_omits_optional_fields_without_a_value(self) -> None:
        body = slipway.TicketInput(
            subject="Grüße", body="b", requester=slipway.TicketRequesterInput(name="n", external_id="4")
        )
        with peer(reply(201, TICKET)) as one:
            ticket = client(one).create_ticket("srv_1", body)
        self.assertEqual(
            json.loads(one.received[0].body),
            {"subject": "Grüße", "body": "b", "requester": {"name": "n", "externalId": "4"}},
        )
        self.assertEqual(
            (ticket.number, ticket.requester, ticket.metadata, ticket.created_at), (7, None, {"a": "b"}, None)
        )

    def test_with_response_returns_status_and_headers(self) -> None:
        headers = {
            "Request-Id": "req_9",
            "Idempotent-Replayed": "true",
            "RateLimit": '"default";r=99;t=1',
            "RateLimit-Policy": '"default";q=100;w=1',
        }
        with peer(reply(200, ME, headers)) as one:
            response = client(one).with_response.get_me().response
        self.assertEqual((response.status, response.request_id, response.is_replayed), (200, "req_9", True))
        self.assertEqual(response.rate_limit, slipway.RateLimit(100, 99, 1))
        self.assertEqual(response.headers["IDEMPOTENT-REPLAYED"], "true")

    def test_a_response_that_is_not_an_answer_of_the_api_says_so(self) -> None:
        for body in (b"<html>", b"[]", b'{"scopes": 1}'):
            with peer(raw(200, body)) as one, self.assertRaisesRegex(slipway.SlipwayError, "base_url"):
                client(one).get_me()


class PagesTest(unittest.TestCase):
    def test_a_list_is_requested_page_by_page_until_its_cursor_is_null(self) -> None:
        def page(*ids: str, next_cursor: str | None) -> Any:
            return reply(200, {"data": [{"id": one} for one in ids], "nextCursor": next_cursor})

        with peer(page("a", "b", next_cursor="2"), page(next_cursor="3"), page("c", next_cursor=None)) as one:
            servers = client(one).list_servers(limit=2)
            self.assertEqual([server.id for server in servers], ["a", "b", "c"])
        self.assertEqual(
            [received.path.partition("?")[2] for received in one.received],
            ["limit=2", "limit=2&cursor=2", "limit=2&cursor=3"],
        )

    def test_the_feed_stops_at_its_end_and_passes_empty_pages_before_it(self) -> None:
        def page(*ids: str, after: str, more: bool) -> Any:
            return reply(200, {"data": [{"id": one} for one in ids], "nextAfter": after, "hasMore": more})

        with peer(
            page("a", after="1", more=True),
            page(after="2", more=True),
            page("b", after="3", more=False),
            page(after="3", more=False),
        ) as one:
            events = client(one).list_events()
            self.assertEqual([len(one.data) for one in events.pages()], [1, 0, 1])
        self.assertEqual(len(one.received), 4)


class ProblemTest(unittest.TestCase):
    def test_a_refusal_is_a_problem_with_its_fields(self) -> None:
        errors = [{"pointer": f"/{at}", "detail": "must be a string"} for at in range(4)]
        with peer(problem(400, "invalid_request", errors=errors)) as one:
            with self.assertRaises(slipway.SlipwayProblem) as raised:
                client(one).get_me()
        found = raised.exception
        self.assertEqual(
            (found.status, found.code, found.request_id, found.type),
            (400, "invalid_request", "req_1", "https://peer.example/p"),
        )
        self.assertEqual(found.errors[3], slipway.InvalidPart("/3", "must be a string"))
        part = "must be a string"
        self.assertEqual(str(found), f"A problem (invalid_request, req_1): /0 {part}; /1 {part}; /2 {part}; and 1 more")

    def test_a_response_of_a_proxy_is_a_problem_of_unknown_code(self) -> None:
        type_ = {"content-type": "application/problem+json"}
        for answer in (raw(404, b"<h1>No</h1>"), raw(404, b"{", type_), raw(404, b"[]", type_)):
            with peer(answer) as one, self.assertRaises(slipway.SlipwayProblem) as raised:
                client(one).get_me()
            self.assertEqual(
                (raised.exception.status, raised.exception.code, raised.exception.title), (404, "unknown", "Not Found")
            )

    def test_a_redirect_is_not_followed(self) -> None:
        with peer(raw(302, b"", {"location": "/v1/servers"})) as one:
            with self.assertRaisesRegex(slipway.SlipwayProblem, "Redirects are not followed"):
                client(one).get_me()
        self.assertEqual(len(one.received), 1)


class RetriesTest(unittest.TestCase):
    def setUp(self) -> None:
        self.waits: list[float] = []
        patched = mock.patch("slipway._calls.time.sleep", self.waits.append)
        patched.start()
        self.addCleanup(patched.stop)

    def test_a_read_is_retried_after_a_reset_an_incomplete_response_and_a_502(self) -> None:
        with peer(reset, incomplete, raw(502, b"<h1>Bad</h1>"), reply(200, ME)) as one:
            self.assertEqual(client(one, max_retries=3).get_me().app_id, "app_1")
        self.assertEqual(len(one.received), 4)
        self.assertTrue(all(wait <= limit for wait, limit in zip(self.waits, (0.5, 1, 2))))

    def test_a_read_is_retried_after_a_timeout(self) -> None:
        over = threading.Event()

        def silent(_: object) -> None:
            over.wait(5)

        with peer(silent, reply(200, ME)) as one:
            self.assertEqual(client(one, timeout_seconds=0.1).get_me(timeout_seconds=0.2).app_id, "app_1")
            with self.assertRaisesRegex(slipway.SlipwayTimeoutError, "^No answer within 0.05 s.$"):
                with peer(silent) as other:
                    client(other).get_me(max_retries=0, timeout_seconds=0.05)
            over.set()

    def test_a_mutation_is_retried_with_the_same_bytes_and_key(self) -> None:
        with peer(reset, problem(503, "unavailable"), reply(201, TICKET)) as one:
            made = client(one)
            made.create_ticket("srv_1", slipway.TicketInput(subject="a", body="b"))
            made.create_ticket("srv_1", slipway.TicketInput(subject="a", body="b"))
        keys = [received.headers["idempotency-key"] for received in one.received]
        self.assertEqual(keys[:3], [keys[0]] * 3)
        self.assertNotEqual(keys[3], keys[0])
        self.assertEqual(len({received.body for received in one.received[:3]}), 1)

    def test_a_mutation_without_an_idempotency_key_is_not_retried(self) -> None:
        with peer(reset) as one, self.assertRaises(slipway.SlipwayConnectionError):
            client(one).report_leaked_key(slipway.LeakReport(key="slw_test_x"))
        self.assertEqual(len(one.received), 1)
        self.assertNotIn("idempotency-key", one.received[0].headers)

    def test_a_request_in_progress_is_retried_only_after_an_attempt_of_the_same_call(self) -> None:
        busy = problem(409, "idempotency_in_progress", {"retry-after": "0"})
        body = slipway.TicketInput(subject="a", body="b")
        with peer(reset, busy, reply(201, TICKET)) as one:
            client(one).create_ticket("srv_1", body)
        with peer(busy) as other, self.assertRaises(slipway.SlipwayProblem):
            client(other).create_ticket("srv_1", body)
        self.assertEqual((len(one.received), len(other.received)), (3, 1))

    def test_retry_after_is_added_to_the_backoff_and_reported(self) -> None:
        retries: list[slipway.Retry] = []
        with peer(problem(429, "rate_limited", {"retry-after": "3"}), reply(200, ME)) as one:
            client(one).get_me(on_retry=retries.append)
        [wait] = self.waits
        self.assertTrue(3 <= wait <= 3.5)
        self.assertEqual([(retry.attempt, retry.max_attempts, retry.wait_seconds) for retry in retries], [(2, 3, wait)])

    def test_a_call_fails_after_its_last_retry_or_a_retry_after_above_the_limit(self) -> None:
        cases: list[tuple[Any, dict[str, Any], int]] = [
            (problem(503, "unavailable"), {}, 3),
            (problem(503, "unavailable"), {"max_retries": 0}, 1),
            (problem(429, "rate_limited", {"retry-after": "61"}), {}, 1),
            *[(problem(status, "conflict"), {}, 1) for status in (400, 401, 403, 404, 409, 422, 500)],
        ]
        for answer, options, count in cases:
            with peer(answer) as one, self.assertRaises(slipway.SlipwayProblem):
                client(one).get_me(**options)
            self.assertEqual(len(one.received), count)

    def test_the_backoff_doubles_up_to_eight_seconds(self) -> None:
        error = slipway.SlipwayConnectionError("lost")
        self.assertEqual([_retry.wait_before(error, retry, lambda: 1.0) for retry in range(6)], [0.5, 1, 2, 4, 8, 8])
        self.assertEqual(_retry.wait_before(error, 3, lambda: 0.0), 0)

    def test_retry_after_is_read_as_seconds_or_as_a_date(self) -> None:
        date = "Sat, 21 Nov 2026 10:00:00 GMT"
        later = "Sat, 21 Nov 2026 10:00:07 GMT"
        for headers, expected in (
            ({"retry-after": " 5 "}, 5),
            ({"retry-after": later, "date": date}, 7),
            ({"retry-after": date, "date": later}, 0),
            ({"retry-after": "soon"}, None),
            ({"retry-after": "-1"}, None),
            ({}, None),
        ):
            self.assertEqual(retry_after_of(headers, 0), expected)


class JsonTest(unittest.TestCase):
    def test_a_union_is_decoded_as_the_type_with_its_constants(self) -> None:
        value = {"id": "evt_1", "type": "ticket.created", "schemaVersion": 2, "data": {"bodyMarkdown": "*a*"}}
        found = decode(slipway.WebhookEvent, value)
        assert isinstance(found, slipway.TicketCreatedV2)
        self.assertEqual(found.data.body_markdown, "*a*")

    def test_every_type_decodes_an_object_without_fields(self) -> None:
        kinds = [getattr(slipway.models, name) for name in slipway.models.__all__]
        objects = [kind for kind in kinds if isinstance(kind, type) and hasattr(kind, "__dataclass_fields__")]
        self.assertGreater(len(objects), 30)
        for kind in objects:
            self.assertIsInstance(decode(kind, {}), kind)

    def test_encode_reverses_decode(self) -> None:
        requester = {"name": "n", "externalId": "4"}
        value = {"id": "tkt_1", "createdAt": "2026-11-21T10:00:00.500000Z", "requester": requester, "labels": ["a"]}
        encoded = encode(decode(slipway.Ticket, value))
        self.assertEqual({name: encoded[name] for name in value}, value)
