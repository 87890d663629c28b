# Generated from contract/openapi.json by `npm run contract`. Do not edit.
"""Methods of the client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._calls import Answer, Caller, CallOptions, Entry, ListCall, MutationOptions
from .models import (
    ApiCatalog,
    Event,
    EventList,
    EventType,
    LeakReport,
    LeakedKey,
    Me,
    Publication,
    PublicationList,
    ReceiptKeys,
    RoadmapItem,
    RoadmapItemList,
    SecretScanningFeedback,
    SecretScanningMatches,
    Server,
    ServerList,
    Ticket,
    TicketInput,
    TicketList,
    Workflow,
    WorkflowList,
    WorkflowRun,
    WorkflowRunInput,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

_GET_ME = Entry("GET", "/v1/me", Me)
_LIST_SERVERS = Entry("GET", "/v1/servers", ServerList, query=("limit", "cursor"), page="cursor")
_GET_SERVER = Entry("GET", "/v1/servers/{serverId}", Server)
_LIST_PUBLICATIONS = Entry("GET", "/v1/servers/{serverId}/publications", PublicationList, query=("limit", "cursor"), page="cursor")
_GET_PUBLICATION = Entry("GET", "/v1/publications/{publicationId}", Publication)
_LIST_ROADMAP = Entry("GET", "/v1/servers/{serverId}/roadmap", RoadmapItemList, query=("limit", "cursor"), page="cursor")
_GET_ROADMAP_ITEM = Entry("GET", "/v1/roadmap/{roadmapItemId}", RoadmapItem)
_LIST_TICKETS = Entry("GET", "/v1/servers/{serverId}/tickets", TicketList, query=("limit", "cursor"), page="cursor")
_CREATE_TICKET = Entry("POST", "/v1/servers/{serverId}/tickets", Ticket, takes_idempotency_key=True)
_GET_TICKET = Entry("GET", "/v1/tickets/{ticketId}", Ticket)
_LIST_WORKFLOWS = Entry("GET", "/v1/servers/{serverId}/workflows", WorkflowList, query=("limit", "cursor"), page="cursor")
_CREATE_WORKFLOW_RUN = Entry("POST", "/v1/workflows/{workflowId}/runs", WorkflowRun, takes_idempotency_key=True)
_GET_WORKFLOW_RUN = Entry("GET", "/v1/workflow-runs/{workflowRunId}", WorkflowRun)
_LIST_EVENTS = Entry("GET", "/v1/events", EventList, query=("schemaVersion", "type", "serverId", "after", "limit"), page="after")
_GET_EVENT = Entry("GET", "/v1/events/{eventId}", Event, query=("schemaVersion",))
_REPORT_LEAKED_KEY = Entry("POST", "/v1/leaked-keys", LeakedKey)
_REPORT_GITHUB_MATCHES = Entry("POST", "/v1/leaked-keys/github", SecretScanningFeedback)
_GET_RECEIPT_KEYS = Entry("GET", "/receipt-keys", ReceiptKeys)
_GET_OPENAPI = Entry("GET", "/v1/openapi.json", dict[str, Any], query=("webhooks",))
_GET_API_CATALOG = Entry("GET", "/.well-known/api-catalog", ApiCatalog)
_GET_PROBLEM_INDEX = Entry("GET", "/problems", str, is_text=True)
_GET_PROBLEM_PAGE = Entry("GET", "/problems/{slug}", str, is_text=True)
_GET_DEPRECATION_INDEX = Entry("GET", "/deprecations", str, is_text=True)
_GET_DEPRECATION_PAGE = Entry("GET", "/deprecations/{deprecationId}", str, is_text=True)


class Operations(Caller):
    """One method per operation of the contract."""

    def get_me(self, **options: Unpack[CallOptions]) -> Me:
        """Get the caller. Returns the environment, the app, the scopes and the expiry of the key that
        authenticates the request. Access: Any valid key.
        """
        answer: Answer[Me] = self._perform(_GET_ME, {}, None, options)
        return answer.data

    def list_servers(self, *, limit: int | None = None, cursor: str | None = None, **options: Unpack[CallOptions]) -> ListCall[ServerList, Server]:
        """List servers. Lists the servers that have authorised this app with `servers:read`, newest first. The
        list omits servers whose installation or scope is paused or revoked. Access: A key with
        `servers:read`.
        """
        return self._list(_LIST_SERVERS, {"limit": limit, "cursor": cursor}, options)

    def get_server(self, server_id: str, **options: Unpack[CallOptions]) -> Server:
        """Get a server. Returns one server that has authorised this app with `servers:read`. Access: A key with
        `servers:read`.
        """
        answer: Answer[Server] = self._perform(_GET_SERVER, {"serverId": server_id}, None, options)
        return answer.data

    def list_publications(self, server_id: str, *, limit: int | None = None, cursor: str | None = None, **options: Unpack[CallOptions]) -> ListCall[PublicationList, Publication]:
        """List the publications of a server. Lists the publications of a server that has authorised this app
        with `publications:read`, newest first. Access: A key with `publications:read`.
        """
        return self._list(_LIST_PUBLICATIONS, {"serverId": server_id, "limit": limit, "cursor": cursor}, options)

    def get_publication(self, publication_id: str, **options: Unpack[CallOptions]) -> Publication:
        """Get a publication. Returns one publication of a server that has authorised this app with
        `publications:read`. Access: A key with `publications:read`.
        """
        answer: Answer[Publication] = self._perform(_GET_PUBLICATION, {"publicationId": publication_id}, None, options)
        return answer.data

    def list_roadmap(self, server_id: str, *, limit: int | None = None, cursor: str | None = None, **options: Unpack[CallOptions]) -> ListCall[RoadmapItemList, RoadmapItem]:
        """List the roadmap of a server. Lists the roadmap of a server that has authorised this app with
        `roadmap:read`, newest item first. `position` is the place of an item on the board. Access: A key with
        `roadmap:read`.
        """
        return self._list(_LIST_ROADMAP, {"serverId": server_id, "limit": limit, "cursor": cursor}, options)

    def get_roadmap_item(self, roadmap_item_id: str, **options: Unpack[CallOptions]) -> RoadmapItem:
        """Get a roadmap item. Returns one roadmap item of a server that has authorised this app with
        `roadmap:read`. Access: A key with `roadmap:read`.
        """
        answer: Answer[RoadmapItem] = self._perform(_GET_ROADMAP_ITEM, {"roadmapItemId": roadmap_item_id}, None, options)
        return answer.data

    def list_tickets(self, server_id: str, *, limit: int | None = None, cursor: str | None = None, **options: Unpack[CallOptions]) -> ListCall[TicketList, Ticket]:
        """List the tickets of the app on a server. Lists the tickets that this app created on a server that has
        authorised it with `tickets:create`, newest first. Tickets of other apps are not listed. In the
        sandbox, the list also contains the tickets of the sandbox data and of triggered events. Access: A key
        with `tickets:create`.
        """
        return self._list(_LIST_TICKETS, {"serverId": server_id, "limit": limit, "cursor": cursor}, options)

    def create_ticket(self, server_id: str, body: TicketInput, **options: Unpack[MutationOptions]) -> Ticket:
        """Create a ticket. Creates a ticket on a server that has authorised this app with `tickets:create`, and
        emits `ticket.created`. In the sandbox no member is notified. Accepts an `Idempotency-Key`. Access: A
        key with `tickets:create`, on a server that has authorised the scope.
        """
        answer: Answer[Ticket] = self._perform(_CREATE_TICKET, {"serverId": server_id}, body, options)
        return answer.data

    def get_ticket(self, ticket_id: str, **options: Unpack[CallOptions]) -> Ticket:
        """Get a ticket. Returns the current state of a ticket that this app created. Access: A key with
        `tickets:create`.
        """
        answer: Answer[Ticket] = self._perform(_GET_TICKET, {"ticketId": ticket_id}, None, options)
        return answer.data

    def list_workflows(self, server_id: str, *, limit: int | None = None, cursor: str | None = None, **options: Unpack[CallOptions]) -> ListCall[WorkflowList, Workflow]:
        """List the workflows of a server. Lists the workflows of a server that has authorised this app with
        `workflows:run`, newest first. Access: A key with `workflows:run`.
        """
        return self._list(_LIST_WORKFLOWS, {"serverId": server_id, "limit": limit, "cursor": cursor}, options)

    def create_workflow_run(self, workflow_id: str, body: WorkflowRunInput, **options: Unpack[MutationOptions]) -> WorkflowRun:
        """Run a workflow. Creates a run of a workflow on a server that has authorised this app with
        `workflows:run`. The run is queued: read its status, or wait for `workflow_run.succeeded` or
        `workflow_run.failed`. In the sandbox the steps of a run have no effect. Accepts an `Idempotency-Key`.
        Access: A key with `workflows:run`, on a server that has authorised the scope.
        """
        answer: Answer[WorkflowRun] = self._perform(_CREATE_WORKFLOW_RUN, {"workflowId": workflow_id}, body, options)
        return answer.data

    def get_workflow_run(self, workflow_run_id: str, **options: Unpack[CallOptions]) -> WorkflowRun:
        """Get a run. Returns the current state of a run that this app created. Access: A key with
        `workflows:run`.
        """
        answer: Answer[WorkflowRun] = self._perform(_GET_WORKFLOW_RUN, {"workflowRunId": workflow_run_id}, None, options)
        return answer.data

    def list_events(self, *, schema_version: int | None = None, type: EventType | None = None, server_id: str | None = None, after: str | None = None, limit: int | None = None, **options: Unpack[CallOptions]) -> ListCall[EventList, Event]:
        """List events. Lists all events, oldest first, for the reconciliation of webhook deliveries. To
        continue, send the last `nextAfter` as `after`. No event is skipped, regardless of the time of its
        commit. Events are ordered by the start of their transactions, so sort the events of a subject by
        `sequence`. Events of a server are withheld unless the server authorises this app with `events:read`
        and with the scope of the event’s resource: `publications:read`, `roadmap:read`, `tickets:create`,
        `workflows:run` or `servers:read`. `nextAfter` passes withheld events. When a server grants the scope
        again, read the events of the server with `serverId` from an earlier position. A page examines a
        bounded number of events: while `hasMore` is true, continue to read, even if a page is empty. Events
        have version 1 of their schemas unless `schemaVersion` selects another version. Access: A key with
        `events:read`.
        """
        return self._list(_LIST_EVENTS, {"schemaVersion": schema_version, "type": type, "serverId": server_id, "after": after, "limit": limit}, options)

    def get_event(self, event_id: str, *, schema_version: int | None = None, **options: Unpack[CallOptions]) -> Event:
        """Get an event. Returns one event, in the bytes that webhooks deliver to endpoints with this schema
        version. Access: A key with `events:read`.
        """
        answer: Answer[Event] = self._perform(_GET_EVENT, {"eventId": event_id, "schemaVersion": schema_version}, None, options)
        return answer.data

    def report_leaked_key(self, body: LeakReport, **options: Unpack[CallOptions]) -> LeakedKey:
        """Report a leaked key. Revokes a leaked key. Every holder of the complete key can report it. The key is
        revoked immediately and permanently, its in-flight calls and deliveries are cancelled, and its
        organisation is notified. For a key that is already revoked or expired, the operation returns its
        state. Every text that is not a valid key gets the same `invalid_key` response. The key is neither
        logged nor stored. Access: Any client, a few times a minute from one address; no key is required
        except the key in the body.
        """
        answer: Answer[LeakedKey] = self._perform(_REPORT_LEAKED_KEY, {}, body, options)
        return answer.data

    def report_github_matches(self, body: SecretScanningMatches, **options: Unpack[CallOptions]) -> SecretScanningFeedback:
        """Report keys that GitHub found. Receives the reports of GitHub's secret scanning and revokes each key
        of this environment like `reportLeakedKey`. The operation is idempotent: a repeated message changes
        nothing and gets the same response. Access: GitHub, authenticated by its signature of the body. The
        operator configures GitHub's public keys; without them every request is rejected.
        """
        answer: Answer[SecretScanningFeedback] = self._perform(_REPORT_GITHUB_MATCHES, {}, body, options)
        return answer.data

    def get_receipt_keys(self, **options: Unpack[CallOptions]) -> ReceiptKeys:
        """Get the keys that verify revocation receipts. Returns the public keys of this environment as a JSON
        Web Key Set. A receipt names its key in `kid`. Earlier keys stay in the set. Access: Any client; no
        key is required.
        """
        answer: Answer[ReceiptKeys] = self._perform(_GET_RECEIPT_KEYS, {}, None, options)
        return answer.data

    def get_openapi(self, *, webhooks: bool | None = None, **options: Unpack[CallOptions]) -> dict[str, Any]:
        """Get the contract. Returns the OpenAPI 3.1 document of this API. Access: Any client; no key is
        required.
        """
        answer: Answer[dict[str, Any]] = self._perform(_GET_OPENAPI, {"webhooks": webhooks}, None, options)
        return answer.data

    def get_api_catalog(self, **options: Unpack[CallOptions]) -> ApiCatalog:
        """Find the contract. Returns the addresses of this API and of its OpenAPI document, at the well-known
        location of RFC 9727. Access: Any client; no key is required.
        """
        answer: Answer[ApiCatalog] = self._perform(_GET_API_CATALOG, {}, None, options)
        return answer.data

    def get_problem_index(self, **options: Unpack[CallOptions]) -> str:
        """Read about all problems. Returns a page that lists all problems, with a link to the page of each.
        Access: Any client; no key is required.
        """
        answer: Answer[str] = self._perform(_GET_PROBLEM_INDEX, {}, None, options)
        return answer.data

    def get_problem_page(self, slug: str, **options: Unpack[CallOptions]) -> str:
        """Read about a problem. Returns the page that a problem’s `type` links to: the meaning, the cause and
        the fix. Access: Any client; no key is required.
        """
        answer: Answer[str] = self._perform(_GET_PROBLEM_PAGE, {"slug": slug}, None, options)
        return answer.data

    def get_deprecation_index(self, **options: Unpack[CallOptions]) -> str:
        """Read about all deprecations. Returns a page that lists all deprecations, with a link to the page of
        each. The page says so if there are none. Access: Any client; no key is required.
        """
        answer: Answer[str] = self._perform(_GET_DEPRECATION_INDEX, {}, None, options)
        return answer.data

    def get_deprecation_page(self, deprecation_id: str, **options: Unpack[CallOptions]) -> str:
        """Read about a deprecation. Returns the page that the `Link` header of a deprecated use points to: the
        deprecated part, the day on which it ends, and the replacement. Access: Any client; no key is
        required.
        """
        answer: Answer[str] = self._perform(_GET_DEPRECATION_PAGE, {"deprecationId": deprecation_id}, None, options)
        return answer.data


class OperationsWithResponse(Caller):
    """The same methods. They return the value together with status and headers of the response."""

    def get_me(self, **options: Unpack[CallOptions]) -> Answer[Me]:
        """Get the caller. Returns the environment, the app, the scopes and the expiry of the key that
        authenticates the request. Access: Any valid key.
        """
        return self._perform(_GET_ME, {}, None, options)

    def list_servers(self, *, limit: int | None = None, cursor: str | None = None, **options: Unpack[CallOptions]) -> Answer[ServerList]:
        """List servers. Lists the servers that have authorised this app with `servers:read`, newest first. The
        list omits servers whose installation or scope is paused or revoked. Access: A key with
        `servers:read`. Returns the first page.
        """
        return self._perform(_LIST_SERVERS, {"limit": limit, "cursor": cursor}, None, options)

    def get_server(self, server_id: str, **options: Unpack[CallOptions]) -> Answer[Server]:
        """Get a server. Returns one server that has authorised this app with `servers:read`. Access: A key with
        `servers:read`.
        """
        return self._perform(_GET_SERVER, {"serverId": server_id}, None, options)

    def list_publications(self, server_id: str, *, limit: int | None = None, cursor: str | None = None, **options: Unpack[CallOptions]) -> Answer[PublicationList]:
        """List the publications of a server. Lists the publications of a server that has authorised this app
        with `publications:read`, newest first. Access: A key with `publications:read`. Returns the first
        page.
        """
        return self._perform(_LIST_PUBLICATIONS, {"serverId": server_id, "limit": limit, "cursor": cursor}, None, options)

    def get_publication(self, publication_id: str, **options: Unpack[CallOptions]) -> Answer[Publication]:
        """Get a publication. Returns one publication of a server that has authorised this app with
        `publications:read`. Access: A key with `publications:read`.
        """
        return self._perform(_GET_PUBLICATION, {"publicationId": publication_id}, None, options)

    def list_roadmap(self, server_id: str, *, limit: int | None = None, cursor: str | None = None, **options: Unpack[CallOptions]) -> Answer[RoadmapItemList]:
        """List the roadmap of a server. Lists the roadmap of a server that has authorised this app with
        `roadmap:read`, newest item first. `position` is the place of an item on the board. Access: A key with
        `roadmap:read`. Returns the first page.
        """
        return self._perform(_LIST_ROADMAP, {"serverId": server_id, "limit": limit, "cursor": cursor}, None, options)

    def get_roadmap_item(self, roadmap_item_id: str, **options: Unpack[CallOptions]) -> Answer[RoadmapItem]:
        """Get a roadmap item. Returns one roadmap item of a server that has authorised this app with
        `roadmap:read`. Access: A key with `roadmap:read`.
        """
        return self._perform(_GET_ROADMAP_ITEM, {"roadmapItemId": roadmap_item_id}, None, options)

    def list_tickets(self, server_id: str, *, limit: int | None = None, cursor: str | None = None, **options: Unpack[CallOptions]) -> Answer[TicketList]:
        """List the tickets of the app on a server. Lists the tickets that this app created on a server that has
        authorised it with `tickets:create`, newest first. Tickets of other apps are not listed. In the
        sandbox, the list also contains the tickets of the sandbox data and of triggered events. Access: A key
        with `tickets:create`. Returns the first page.
        """
        return self._perform(_LIST_TICKETS, {"serverId": server_id, "limit": limit, "cursor": cursor}, None, options)

    def create_ticket(self, server_id: str, body: TicketInput, **options: Unpack[MutationOptions]) -> Answer[Ticket]:
        """Create a ticket. Creates a ticket on a server that has authorised this app with `tickets:create`, and
        emits `ticket.created`. In the sandbox no member is notified. Accepts an `Idempotency-Key`. Access: A
        key with `tickets:create`, on a server that has authorised the scope.
        """
        return self._perform(_CREATE_TICKET, {"serverId": server_id}, body, options)

    def get_ticket(self, ticket_id: str, **options: Unpack[CallOptions]) -> Answer[Ticket]:
        """Get a ticket. Returns the current state of a ticket that this app created. Access: A key with
        `tickets:create`.
        """
        return self._perform(_GET_TICKET, {"ticketId": ticket_id}, None, options)

    def list_workflows(self, server_id: str, *, limit: int | None = None, cursor: str | None = None, **options: Unpack[CallOptions]) -> Answer[WorkflowList]:
        """List the workflows of a server. Lists the workflows of a server that has authorised this app with
        `workflows:run`, newest first. Access: A key with `workflows:run`. Returns the first page.
        """
        return self._perform(_LIST_WORKFLOWS, {"serverId": server_id, "limit": limit, "cursor": cursor}, None, options)

    def create_workflow_run(self, workflow_id: str, body: WorkflowRunInput, **options: Unpack[MutationOptions]) -> Answer[WorkflowRun]:
        """Run a workflow. Creates a run of a workflow on a server that has authorised this app with
        `workflows:run`. The run is queued: read its status, or wait for `workflow_run.succeeded` or
        `workflow_run.failed`. In the sandbox the steps of a run have no effect. Accepts an `Idempotency-Key`.
        Access: A key with `workflows:run`, on a server that has authorised the scope.
        """
        return self._perform(_CREATE_WORKFLOW_RUN, {"workflowId": workflow_id}, body, options)

    def get_workflow_run(self, workflow_run_id: str, **options: Unpack[CallOptions]) -> Answer[WorkflowRun]:
        """Get a run. Returns the current state of a run that this app created. Access: A key with
        `workflows:run`.
        """
        return self._perform(_GET_WORKFLOW_RUN, {"workflowRunId": workflow_run_id}, None, options)

    def list_events(self, *, schema_version: int | None = None, type: EventType | None = None, server_id: str | None = None, after: str | None = None, limit: int | None = None, **options: Unpack[CallOptions]) -> Answer[EventList]:
        """List events. Lists all events, oldest first, for the reconciliation of webhook deliveries. To
        continue, send the last `nextAfter` as `after`. No event is skipped, regardless of the time of its
        commit. Events are ordered by the start of their transactions, so sort the events of a subject by
        `sequence`. Events of a server are withheld unless the server authorises this app with `events:read`
        and with the scope of the event’s resource: `publications:read`, `roadmap:read`, `tickets:create`,
        `workflows:run` or `servers:read`. `nextAfter` passes withheld events. When a server grants the scope
        again, read the events of the server with `serverId` from an earlier position. A page examines a
        bounded number of events: while `hasMore` is true, continue to read, even if a page is empty. Events
        have version 1 of their schemas unless `schemaVersion` selects another version. Access: A key with
        `events:read`. Returns the first page.
        """
        return self._perform(_LIST_EVENTS, {"schemaVersion": schema_version, "type": type, "serverId": server_id, "after": after, "limit": limit}, None, options)

    def get_event(self, event_id: str, *, schema_version: int | None = None, **options: Unpack[CallOptions]) -> Answer[Event]:
        """Get an event. Returns one event, in the bytes that webhooks deliver to endpoints with this schema
        version. Access: A key with `events:read`.
        """
        return self._perform(_GET_EVENT, {"eventId": event_id, "schemaVersion": schema_version}, None, options)

    def report_leaked_key(self, body: LeakReport, **options: Unpack[CallOptions]) -> Answer[LeakedKey]:
        """Report a leaked key. Revokes a leaked key. Every holder of the complete key can report it. The key is
        revoked immediately and permanently, its in-flight calls and deliveries are cancelled, and its
        organisation is notified. For a key that is already revoked or expired, the operation returns its
        state. Every text that is not a valid key gets the same `invalid_key` response. The key is neither
        logged nor stored. Access: Any client, a few times a minute from one address; no key is required
        except the key in the body.
        """
        return self._perform(_REPORT_LEAKED_KEY, {}, body, options)

    def report_github_matches(self, body: SecretScanningMatches, **options: Unpack[CallOptions]) -> Answer[SecretScanningFeedback]:
        """Report keys that GitHub found. Receives the reports of GitHub's secret scanning and revokes each key
        of this environment like `reportLeakedKey`. The operation is idempotent: a repeated message changes
        nothing and gets the same response. Access: GitHub, authenticated by its signature of the body. The
        operator configures GitHub's public keys; without them every request is rejected.
        """
        return self._perform(_REPORT_GITHUB_MATCHES, {}, body, options)

    def get_receipt_keys(self, **options: Unpack[CallOptions]) -> Answer[ReceiptKeys]:
        """Get the keys that verify revocation receipts. Returns the public keys of this environment as a JSON
        Web Key Set. A receipt names its key in `kid`. Earlier keys stay in the set. Access: Any client; no
        key is required.
        """
        return self._perform(_GET_RECEIPT_KEYS, {}, None, options)

    def get_openapi(self, *, webhooks: bool | None = None, **options: Unpack[CallOptions]) -> Answer[dict[str, Any]]:
        """Get the contract. Returns the OpenAPI 3.1 document of this API. Access: Any client; no key is
        required.
        """
        return self._perform(_GET_OPENAPI, {"webhooks": webhooks}, None, options)

    def get_api_catalog(self, **options: Unpack[CallOptions]) -> Answer[ApiCatalog]:
        """Find the contract. Returns the addresses of this API and of its OpenAPI document, at the well-known
        location of RFC 9727. Access: Any client; no key is required.
        """
        return self._perform(_GET_API_CATALOG, {}, None, options)

    def get_problem_index(self, **options: Unpack[CallOptions]) -> Answer[str]:
        """Read about all problems. Returns a page that lists all problems, with a link to the page of each.
        Access: Any client; no key is required.
        """
        return self._perform(_GET_PROBLEM_INDEX, {}, None, options)

    def get_problem_page(self, slug: str, **options: Unpack[CallOptions]) -> Answer[str]:
        """Read about a problem. Returns the page that a problem’s `type` links to: the meaning, the cause and
        the fix. Access: Any client; no key is required.
        """
        return self._perform(_GET_PROBLEM_PAGE, {"slug": slug}, None, options)

    def get_deprecation_index(self, **options: Unpack[CallOptions]) -> Answer[str]:
        """Read about all deprecations. Returns a page that lists all deprecations, with a link to the page of
        each. The page says so if there are none. Access: Any client; no key is required.
        """
        return self._perform(_GET_DEPRECATION_INDEX, {}, None, options)

    def get_deprecation_page(self, deprecation_id: str, **options: Unpack[CallOptions]) -> Answer[str]:
        """Read about a deprecation. Returns the page that the `Link` header of a deprecated use points to: the
        deprecated part, the day on which it ends, and the replacement. Access: Any client; no key is
        required.
        """
        return self._perform(_GET_DEPRECATION_PAGE, {"deprecationId": deprecation_id}, None, options)
