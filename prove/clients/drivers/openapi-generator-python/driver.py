"""Calls the API with the client of openapi-generator for Python, and prints the result of each step as a line of JSON."""

import json
import os

from openapi_client import ApiClient, Configuration, Problem, ServersApi, TicketInput, TicketsApi
from openapi_client.exceptions import ForbiddenException

server_id = os.environ["SERVER_ID"]
idempotency_key = os.environ["IDEMPOTENCY_KEY"]


def client_for(key: str) -> ApiClient:
    return ApiClient(Configuration(host=os.environ["API_URL"], access_token=os.environ[key]))


servers = ServersApi(client_for("API_KEY"))
page = servers.list_servers(limit=2)
ids = [server.id for server in page.data]
while page.next_cursor is not None:
    page = servers.list_servers(limit=2, cursor=page.next_cursor)
    ids += [server.id for server in page.data]
print(json.dumps({"step": "list", "ids": ids}))

ticket = TicketInput(subject=idempotency_key, body="Sent twice.")
tickets = TicketsApi(client_for("API_KEY"))
created = [tickets.create_ticket(server_id, ticket, idempotency_key=idempotency_key).id for _ in range(2)]
print(json.dumps({"step": "create", "ids": created}))

try:
    TicketsApi(client_for("NARROW_KEY")).create_ticket(server_id, ticket)
except ForbiddenException as error:
    assert isinstance(error.data, Problem)
    print(json.dumps({"step": "refusal", "status": error.status, "code": error.data.code}))
