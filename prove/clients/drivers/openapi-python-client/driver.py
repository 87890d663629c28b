"""Calls the API with the client of openapi-python-client, and prints the result of each step as a line of JSON."""

import json
import os

from client import AuthenticatedClient
from client.api.servers import list_servers
from client.api.tickets import create_ticket
from client.models import Problem, ServerList, Ticket, TicketInput
from client.types import UNSET

server_id = os.environ["SERVER_ID"]
idempotency_key = os.environ["IDEMPOTENCY_KEY"]


def client_for(key: str) -> AuthenticatedClient:
    return AuthenticatedClient(base_url=os.environ["API_URL"], token=os.environ[key])


client = client_for("API_KEY")
ids: list[str] = []
cursor: str | None = None
while True:
    page = list_servers.sync(client=client, limit=2, cursor=UNSET if cursor is None else cursor)
    assert isinstance(page, ServerList)
    ids += [server.id for server in page.data]
    cursor = page.next_cursor
    if cursor is None:
        break
print(json.dumps({"step": "list", "ids": ids}))

body = TicketInput(subject=idempotency_key, body="Sent twice.")
created: list[str] = []
for _ in range(2):
    ticket = create_ticket.sync(server_id, client=client, body=body, idempotency_key=idempotency_key)
    assert isinstance(ticket, Ticket)
    created.append(ticket.id)
print(json.dumps({"step": "create", "ids": created}))

refusal = create_ticket.sync_detailed(server_id, client=client_for("NARROW_KEY"), body=body)
assert isinstance(refusal.parsed, Problem)
print(json.dumps({"step": "refusal", "status": refusal.status_code, "code": refusal.parsed.code}))
