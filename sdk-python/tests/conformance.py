"""Performs the steps of test/conformance/scenario.json with the Python SDK.

Reads the steps as JSON from stdin, and writes a result per step as JSON to stdout.
"""

from __future__ import annotations

import json
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import Any
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).parent.parent / "src"))

import slipway
from slipway import webhooks


def perform(given: dict[str, Any], step: dict[str, Any]) -> dict[str, Any]:
    key = given["narrowKey"] if step.get("key") == "narrow" else given["key"]
    client = slipway.create_slipway(base_url=given["apiUrl"], key=key)
    headers = {"conformance-step": quote(step["name"], safe="")}
    limit = step.get("limit")

    def create() -> slipway.Answer[slipway.Ticket]:
        return client.with_response.create_ticket(
            given["serverId"],
            slipway.TicketInput(**step["body"]),
            idempotency_key=step.get("idempotencyKey"),
            headers=headers,
        )

    match step["action"]:
        case "list":
            servers = client.list_servers(limit=limit, headers=headers)
            return {"ids": [one.id for one in servers], "pages": sum(1 for _ in servers.pages())}
        case "feed":
            events = client.list_events(limit=limit, headers=headers)
            return {"ids": [one.id for one in events], "pages": sum(1 for _ in events.pages())}
        case "tickets":
            tickets = client.list_tickets(given["serverId"], limit=limit, headers=headers)
            return {"ids": [one.id for one in tickets], "pages": sum(1 for _ in tickets.pages())}
        case "create":
            answer = create()
            return {
                "id": answer.data.id,
                "isReplayed": answer.response.is_replayed,
                "status": answer.response.status,
            }
        case "createTwice":
            answers = [create(), create()]
            return {
                "ids": [one.data.id for one in answers],
                "isReplayed": [one.response.is_replayed for one in answers],
                "statuses": [one.response.status for one in answers],
                "priority": answers[0].data.priority,
            }
        case "refused":
            try:
                client.list_events(limit=limit, headers=headers).page()
            except slipway.SlipwayProblem as problem:
                return {
                    "isProblem": True,
                    "status": problem.status,
                    "code": problem.code,
                    "requestId": problem.request_id,
                    "retryAfterSeconds": problem.retry_after,
                    "pointers": [part.pointer for part in problem.errors],
                }
            return {"isProblem": False}
        case "retried":
            retries: list[dict[str, Any]] = []

            def on_retry(retry: slipway.Retry) -> None:
                code = retry.error.code if isinstance(retry.error, slipway.SlipwayProblem) else str(retry.error)
                retries.append({"attempt": retry.attempt, "maxAttempts": retry.max_attempts, "code": code})

            me = client.get_me(headers=headers, on_retry=on_retry)
            return {"environment": me.environment, "retries": retries}
        case "verify":
            return verify_all(given["messages"])
    raise ValueError(f"unknown action {step['action']}")


def verify_all(messages: list[dict[str, Any]]) -> dict[str, Any]:
    outcomes = {message["name"]: outcome_of(message) for message in messages}
    event = verify(messages[0])
    assert isinstance(event, slipway.TicketCreatedV1)
    said = {"type": event.type, "schemaVersion": event.schema_version, "subject": event.data.subject}
    return {"outcomes": outcomes, "event": said}


def verify(message: dict[str, Any]) -> webhooks.WebhookEvent:
    now = datetime.fromtimestamp(message["now"], timezone.utc)
    return webhooks.verify(message["body"].encode(), message["headers"], message["secrets"], now=now)


def outcome_of(message: dict[str, Any]) -> str:
    try:
        verify(message)
        return "verified"
    except webhooks.WebhookVerificationError as error:
        return error.code
    except TypeError:
        return "malformed_secret"


if __name__ == "__main__":
    given = json.load(sys.stdin)
    json.dump([{"name": step["name"], **perform(given, step)} for step in given["steps"]], sys.stdout)
