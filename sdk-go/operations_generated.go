// Code generated from contract/openapi.json by npm run contract. DO NOT EDIT.

package slipway

import (
	"context"
	"net/url"
	"strconv"
)

var getMeOperation = operation{method: "GET", path: "/v1/me"}

// GetMe: Get the caller. Returns the environment, the app, the scopes and the expiry of the key that
// authenticates the request. Access: Any valid key.
func (c *Client) GetMe(ctx context.Context, options ...CallOption) (*Me, error) {
	return performObject[Me](ctx, c, getMeOperation, request{path: map[string]string{}}, options)
}

// ListServersInput has the optional parameters of ListServers. The zero value of a field omits the parameter.
type ListServersInput struct {
	// Maximum number of items to return.
	Limit int
	// Cursor of the page: the `nextCursor` of the previous page.
	Cursor string
}

func (input ListServersInput) values() url.Values {
	values := url.Values{}
	if input.Limit != 0 {
		values.Set("limit", strconv.Itoa(input.Limit))
	}
	if input.Cursor != "" {
		values.Set("cursor", input.Cursor)
	}
	return values
}

var listServersOperation = operation{method: "GET", path: "/v1/servers", page: "cursor"}

// ListServers: List servers. Lists the servers that have authorised this app with `servers:read`, newest first.
// The list omits servers whose installation or scope is paused or revoked. Access: A key with `servers:read`.
func (c *Client) ListServers(ctx context.Context, input ListServersInput, options ...CallOption) *ListCall[ServerList, Server] {
	return newListCall(ctx, c, listServersOperation, request{path: map[string]string{}, query: input.values()}, options, func(page *ServerList) view[Server] {
		return view[Server]{page.Data, page.NextCursor, false}
	})
}

var getServerOperation = operation{method: "GET", path: "/v1/servers/{serverId}"}

// GetServer: Get a server. Returns one server that has authorised this app with `servers:read`. Access: A key
// with `servers:read`.
func (c *Client) GetServer(ctx context.Context, serverID string, options ...CallOption) (*Server, error) {
	return performObject[Server](ctx, c, getServerOperation, request{path: map[string]string{"serverId": serverID}}, options)
}

// ListPublicationsInput has the optional parameters of ListPublications. The zero value of a field omits the parameter.
type ListPublicationsInput struct {
	// Maximum number of items to return.
	Limit int
	// Cursor of the page: the `nextCursor` of the previous page.
	Cursor string
}

func (input ListPublicationsInput) values() url.Values {
	values := url.Values{}
	if input.Limit != 0 {
		values.Set("limit", strconv.Itoa(input.Limit))
	}
	if input.Cursor != "" {
		values.Set("cursor", input.Cursor)
	}
	return values
}

var listPublicationsOperation = operation{method: "GET", path: "/v1/servers/{serverId}/publications", page: "cursor"}

// ListPublications: List the publications of a server. Lists the publications of a server that has authorised
// this app with `publications:read`, newest first. Access: A key with `publications:read`.
func (c *Client) ListPublications(ctx context.Context, serverID string, input ListPublicationsInput, options ...CallOption) *ListCall[PublicationList, Publication] {
	return newListCall(ctx, c, listPublicationsOperation, request{path: map[string]string{"serverId": serverID}, query: input.values()}, options, func(page *PublicationList) view[Publication] {
		return view[Publication]{page.Data, page.NextCursor, false}
	})
}

var getPublicationOperation = operation{method: "GET", path: "/v1/publications/{publicationId}"}

// GetPublication: Get a publication. Returns one publication of a server that has authorised this app with
// `publications:read`. Access: A key with `publications:read`.
func (c *Client) GetPublication(ctx context.Context, publicationID string, options ...CallOption) (*Publication, error) {
	return performObject[Publication](ctx, c, getPublicationOperation, request{path: map[string]string{"publicationId": publicationID}}, options)
}

// ListRoadmapInput has the optional parameters of ListRoadmap. The zero value of a field omits the parameter.
type ListRoadmapInput struct {
	// Maximum number of items to return.
	Limit int
	// Cursor of the page: the `nextCursor` of the previous page.
	Cursor string
}

func (input ListRoadmapInput) values() url.Values {
	values := url.Values{}
	if input.Limit != 0 {
		values.Set("limit", strconv.Itoa(input.Limit))
	}
	if input.Cursor != "" {
		values.Set("cursor", input.Cursor)
	}
	return values
}

var listRoadmapOperation = operation{method: "GET", path: "/v1/servers/{serverId}/roadmap", page: "cursor"}

// ListRoadmap: List the roadmap of a server. Lists the roadmap of a server that has authorised this app with
// `roadmap:read`, newest item first. `position` is the place of an item on the board. Access: A key with
// `roadmap:read`.
func (c *Client) ListRoadmap(ctx context.Context, serverID string, input ListRoadmapInput, options ...CallOption) *ListCall[RoadmapItemList, RoadmapItem] {
	return newListCall(ctx, c, listRoadmapOperation, request{path: map[string]string{"serverId": serverID}, query: input.values()}, options, func(page *RoadmapItemList) view[RoadmapItem] {
		return view[RoadmapItem]{page.Data, page.NextCursor, false}
	})
}

var getRoadmapItemOperation = operation{method: "GET", path: "/v1/roadmap/{roadmapItemId}"}

// GetRoadmapItem: Get a roadmap item. Returns one roadmap item of a server that has authorised this app with
// `roadmap:read`. Access: A key with `roadmap:read`.
func (c *Client) GetRoadmapItem(ctx context.Context, roadmapItemID string, options ...CallOption) (*RoadmapItem, error) {
	return performObject[RoadmapItem](ctx, c, getRoadmapItemOperation, request{path: map[string]string{"roadmapItemId": roadmapItemID}}, options)
}

// ListTicketsInput has the optional parameters of ListTickets. The zero value of a field omits the parameter.
type ListTicketsInput struct {
	// Maximum number of items to return.
	Limit int
	// Cursor of the page: the `nextCursor` of the previous page.
	Cursor string
}

func (input ListTicketsInput) values() url.Values {
	values := url.Values{}
	if input.Limit != 0 {
		values.Set("limit", strconv.Itoa(input.Limit))
	}
	if input.Cursor != "" {
		values.Set("cursor", input.Cursor)
	}
	return values
}

var listTicketsOperation = operation{method: "GET", path: "/v1/servers/{serverId}/tickets", page: "cursor"}

// ListTickets: List the tickets of the app on a server. Lists the tickets that this app created on a server that
// has authorised it with `tickets:create`, newest first. Tickets of other apps are not listed. In the sandbox,
// the list also contains the tickets of the sandbox data and of triggered events. Access: A key with
// `tickets:create`.
func (c *Client) ListTickets(ctx context.Context, serverID string, input ListTicketsInput, options ...CallOption) *ListCall[TicketList, Ticket] {
	return newListCall(ctx, c, listTicketsOperation, request{path: map[string]string{"serverId": serverID}, query: input.values()}, options, func(page *TicketList) view[Ticket] {
		return view[Ticket]{page.Data, page.NextCursor, false}
	})
}

var createTicketOperation = operation{method: "POST", path: "/v1/servers/{serverId}/tickets", takesIdempotencyKey: true}

// CreateTicket: Create a ticket. Creates a ticket on a server that has authorised this app with
// `tickets:create`, and emits `ticket.created`. In the sandbox no member is notified. Accepts an
// `Idempotency-Key`. Access: A key with `tickets:create`, on a server that has authorised the scope.
func (c *Client) CreateTicket(ctx context.Context, serverID string, body TicketInput, options ...MutationOption) (*Ticket, error) {
	return performObject[Ticket](ctx, c, createTicketOperation, request{path: map[string]string{"serverId": serverID}, body: body}, options)
}

var getTicketOperation = operation{method: "GET", path: "/v1/tickets/{ticketId}"}

// GetTicket: Get a ticket. Returns the current state of a ticket that this app created. Access: A key with
// `tickets:create`.
func (c *Client) GetTicket(ctx context.Context, ticketID string, options ...CallOption) (*Ticket, error) {
	return performObject[Ticket](ctx, c, getTicketOperation, request{path: map[string]string{"ticketId": ticketID}}, options)
}

// ListWorkflowsInput has the optional parameters of ListWorkflows. The zero value of a field omits the parameter.
type ListWorkflowsInput struct {
	// Maximum number of items to return.
	Limit int
	// Cursor of the page: the `nextCursor` of the previous page.
	Cursor string
}

func (input ListWorkflowsInput) values() url.Values {
	values := url.Values{}
	if input.Limit != 0 {
		values.Set("limit", strconv.Itoa(input.Limit))
	}
	if input.Cursor != "" {
		values.Set("cursor", input.Cursor)
	}
	return values
}

var listWorkflowsOperation = operation{method: "GET", path: "/v1/servers/{serverId}/workflows", page: "cursor"}

// ListWorkflows: List the workflows of a server. Lists the workflows of a server that has authorised this app
// with `workflows:run`, newest first. Access: A key with `workflows:run`.
func (c *Client) ListWorkflows(ctx context.Context, serverID string, input ListWorkflowsInput, options ...CallOption) *ListCall[WorkflowList, Workflow] {
	return newListCall(ctx, c, listWorkflowsOperation, request{path: map[string]string{"serverId": serverID}, query: input.values()}, options, func(page *WorkflowList) view[Workflow] {
		return view[Workflow]{page.Data, page.NextCursor, false}
	})
}

var createWorkflowRunOperation = operation{method: "POST", path: "/v1/workflows/{workflowId}/runs", takesIdempotencyKey: true}

// CreateWorkflowRun: Run a workflow. Creates a run of a workflow on a server that has authorised this app with
// `workflows:run`. The run is queued: read its status, or wait for `workflow_run.succeeded` or
// `workflow_run.failed`. In the sandbox the steps of a run have no effect. Accepts an `Idempotency-Key`. Access:
// A key with `workflows:run`, on a server that has authorised the scope.
func (c *Client) CreateWorkflowRun(ctx context.Context, workflowID string, body WorkflowRunInput, options ...MutationOption) (*WorkflowRun, error) {
	return performObject[WorkflowRun](ctx, c, createWorkflowRunOperation, request{path: map[string]string{"workflowId": workflowID}, body: body}, options)
}

var getWorkflowRunOperation = operation{method: "GET", path: "/v1/workflow-runs/{workflowRunId}"}

// GetWorkflowRun: Get a run. Returns the current state of a run that this app created. Access: A key with
// `workflows:run`.
func (c *Client) GetWorkflowRun(ctx context.Context, workflowRunID string, options ...CallOption) (*WorkflowRun, error) {
	return performObject[WorkflowRun](ctx, c, getWorkflowRunOperation, request{path: map[string]string{"workflowRunId": workflowRunID}}, options)
}

// ListEventsInput has the optional parameters of ListEvents. The zero value of a field omits the parameter.
type ListEventsInput struct {
	// The schema version of the returned events. A type without this version is returned in its newest version. The
	// `schemaVersion` of each event names its version.
	SchemaVersion int
	// The type of the event.
	Type EventType
	// The identifier of the server.
	ServerID string
	// Cursor of the page: the `nextAfter` of the previous page.
	After string
	// Maximum number of items to return.
	Limit int
}

func (input ListEventsInput) values() url.Values {
	values := url.Values{}
	if input.SchemaVersion != 0 {
		values.Set("schemaVersion", strconv.Itoa(input.SchemaVersion))
	}
	if input.Type != "" {
		values.Set("type", string(input.Type))
	}
	if input.ServerID != "" {
		values.Set("serverId", input.ServerID)
	}
	if input.After != "" {
		values.Set("after", input.After)
	}
	if input.Limit != 0 {
		values.Set("limit", strconv.Itoa(input.Limit))
	}
	return values
}

var listEventsOperation = operation{method: "GET", path: "/v1/events", page: "after"}

// ListEvents: List events. Lists all events, oldest first, for the reconciliation of webhook deliveries. To
// continue, send the last `nextAfter` as `after`. No event is skipped, regardless of the time of its commit.
// Events are ordered by the start of their transactions, so sort the events of a subject by `sequence`. Events
// of a server are withheld unless the server authorises this app with `events:read` and with the scope of the
// event’s resource: `publications:read`, `roadmap:read`, `tickets:create`, `workflows:run` or `servers:read`.
// `nextAfter` passes withheld events. When a server grants the scope again, read the events of the server with
// `serverId` from an earlier position. A page examines a bounded number of events: while `hasMore` is true,
// continue to read, even if a page is empty. Events have version 1 of their schemas unless `schemaVersion`
// selects another version. Access: A key with `events:read`.
func (c *Client) ListEvents(ctx context.Context, input ListEventsInput, options ...CallOption) *ListCall[EventList, Event] {
	return newListCall(ctx, c, listEventsOperation, request{path: map[string]string{}, query: input.values()}, options, func(page *EventList) view[Event] {
		return view[Event]{page.Data, page.NextAfter, page.HasMore}
	})
}

// GetEventInput has the optional parameters of GetEvent. The zero value of a field omits the parameter.
type GetEventInput struct {
	// The schema version of the returned events. A type without this version is returned in its newest version. The
	// `schemaVersion` of each event names its version.
	SchemaVersion int
}

func (input GetEventInput) values() url.Values {
	values := url.Values{}
	if input.SchemaVersion != 0 {
		values.Set("schemaVersion", strconv.Itoa(input.SchemaVersion))
	}
	return values
}

var getEventOperation = operation{method: "GET", path: "/v1/events/{eventId}"}

// GetEvent: Get an event. Returns one event, in the bytes that webhooks deliver to endpoints with this schema
// version. Access: A key with `events:read`.
func (c *Client) GetEvent(ctx context.Context, eventID string, input GetEventInput, options ...CallOption) (*Event, error) {
	return performObject[Event](ctx, c, getEventOperation, request{path: map[string]string{"eventId": eventID}, query: input.values()}, options)
}

var reportLeakedKeyOperation = operation{method: "POST", path: "/v1/leaked-keys"}

// ReportLeakedKey: Report a leaked key. Revokes a leaked key. Every holder of the complete key can report it.
// The key is revoked immediately and permanently, its in-flight calls and deliveries are cancelled, and its
// organisation is notified. For a key that is already revoked or expired, the operation returns its state. Every
// text that is not a valid key gets the same `invalid_key` response. The key is neither logged nor stored.
// Access: Any client, a few times a minute from one address; no key is required except the key in the body.
func (c *Client) ReportLeakedKey(ctx context.Context, body LeakReport, options ...CallOption) (*LeakedKey, error) {
	return performObject[LeakedKey](ctx, c, reportLeakedKeyOperation, request{path: map[string]string{}, body: body}, options)
}

var reportGithubMatchesOperation = operation{method: "POST", path: "/v1/leaked-keys/github"}

// ReportGithubMatches: Report keys that GitHub found. Receives the reports of GitHub's secret scanning and
// revokes each key of this environment like `reportLeakedKey`. The operation is idempotent: a repeated message
// changes nothing and gets the same response. Access: GitHub, authenticated by its signature of the body. The
// operator configures GitHub's public keys; without them every request is rejected.
func (c *Client) ReportGithubMatches(ctx context.Context, body SecretScanningMatches, options ...CallOption) (SecretScanningFeedback, error) {
	return perform[SecretScanningFeedback](ctx, c, reportGithubMatchesOperation, request{path: map[string]string{}, body: body}, options)
}

var getReceiptKeysOperation = operation{method: "GET", path: "/receipt-keys"}

// GetReceiptKeys: Get the keys that verify revocation receipts. Returns the public keys of this environment as a
// JSON Web Key Set. A receipt names its key in `kid`. Earlier keys stay in the set. Access: Any client; no key
// is required.
func (c *Client) GetReceiptKeys(ctx context.Context, options ...CallOption) (*ReceiptKeys, error) {
	return performObject[ReceiptKeys](ctx, c, getReceiptKeysOperation, request{path: map[string]string{}}, options)
}

// GetOpenapiInput has the optional parameters of GetOpenapi. The zero value of a field omits the parameter.
type GetOpenapiInput struct {
	// False omits `webhooks` and the schemas that only they use, for tools that support only the operations.
	Webhooks bool
}

func (input GetOpenapiInput) values() url.Values {
	values := url.Values{}
	if input.Webhooks {
		values.Set("webhooks", "true")
	}
	return values
}

var getOpenapiOperation = operation{method: "GET", path: "/v1/openapi.json"}

// GetOpenapi: Get the contract. Returns the OpenAPI 3.1 document of this API. Access: Any client; no key is
// required.
func (c *Client) GetOpenapi(ctx context.Context, input GetOpenapiInput, options ...CallOption) (map[string]any, error) {
	return perform[map[string]any](ctx, c, getOpenapiOperation, request{path: map[string]string{}, query: input.values()}, options)
}

var getAPICatalogOperation = operation{method: "GET", path: "/.well-known/api-catalog"}

// GetAPICatalog: Find the contract. Returns the addresses of this API and of its OpenAPI document, at the
// well-known location of RFC 9727. Access: Any client; no key is required.
func (c *Client) GetAPICatalog(ctx context.Context, options ...CallOption) (*ApiCatalog, error) {
	return performObject[ApiCatalog](ctx, c, getAPICatalogOperation, request{path: map[string]string{}}, options)
}

var getProblemIndexOperation = operation{method: "GET", path: "/problems", isText: true}

// GetProblemIndex: Read about all problems. Returns a page that lists all problems, with a link to the page of
// each. Access: Any client; no key is required.
func (c *Client) GetProblemIndex(ctx context.Context, options ...CallOption) (string, error) {
	return perform[string](ctx, c, getProblemIndexOperation, request{path: map[string]string{}}, options)
}

var getProblemPageOperation = operation{method: "GET", path: "/problems/{slug}", isText: true}

// GetProblemPage: Read about a problem. Returns the page that a problem’s `type` links to: the meaning, the
// cause and the fix. Access: Any client; no key is required.
func (c *Client) GetProblemPage(ctx context.Context, slug string, options ...CallOption) (string, error) {
	return perform[string](ctx, c, getProblemPageOperation, request{path: map[string]string{"slug": slug}}, options)
}

var getDeprecationIndexOperation = operation{method: "GET", path: "/deprecations", isText: true}

// GetDeprecationIndex: Read about all deprecations. Returns a page that lists all deprecations, with a link to
// the page of each. The page says so if there are none. Access: Any client; no key is required.
func (c *Client) GetDeprecationIndex(ctx context.Context, options ...CallOption) (string, error) {
	return perform[string](ctx, c, getDeprecationIndexOperation, request{path: map[string]string{}}, options)
}

var getDeprecationPageOperation = operation{method: "GET", path: "/deprecations/{deprecationId}", isText: true}

// GetDeprecationPage: Read about a deprecation. Returns the page that the `Link` header of a deprecated use
// points to: the deprecated part, the day on which it ends, and the replacement. Access: Any client; no key is
// required.
func (c *Client) GetDeprecationPage(ctx context.Context, deprecationID string, options ...CallOption) (string, error) {
	return perform[string](ctx, c, getDeprecationPageOperation, request{path: map[string]string{"deprecationId": deprecationID}}, options)
}
