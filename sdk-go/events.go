package slipway

import (
	"encoding/json"
	"time"
)

// WebhookEvent is the content of a webhook: one of the types of events in one of their schema versions, or an
// *UnknownEvent.
type WebhookEvent interface {
	// Info returns the fields that all events have.
	Info() EventInfo
}

// EventInfo has the fields that all events have.
type EventInfo struct {
	ID            string       `json:"id"`
	Type          EventType    `json:"type"`
	SchemaVersion int          `json:"schemaVersion"`
	OccurredAt    time.Time    `json:"occurredAt"`
	Environment   Environment  `json:"environment"`
	AppID         string       `json:"appId"`
	ServerID      string       `json:"serverId"`
	Subject       EventSubject `json:"subject"`
	Sequence      int          `json:"sequence"`
	RequestID     *string      `json:"requestId"`
}

// UnknownEvent is an event whose type or schema version is newer than this version of the SDK.
type UnknownEvent struct {
	EventInfo
	Data json.RawMessage `json:"data"`
}

// Info returns the fields that all events have.
func (e *UnknownEvent) Info() EventInfo { return e.EventInfo }

// AnyEvent is an event of any type inside another value.
type AnyEvent struct{ WebhookEvent }

// UnmarshalJSON reads the event as the type that it has.
func (e *AnyEvent) UnmarshalJSON(text []byte) error {
	event, err := ParseEvent(text)
	e.WebhookEvent = event
	return err
}

// MarshalJSON writes the event.
func (e AnyEvent) MarshalJSON() ([]byte, error) { return json.Marshal(e.WebhookEvent) }

// eventKey is the type of an event and its schema version.
type eventKey struct {
	Type          string `json:"type"`
	SchemaVersion int    `json:"schemaVersion"`
}

// ParseEvent reads an event. It does not verify it: to receive webhooks, use the package webhooks.
func ParseEvent(text []byte) (WebhookEvent, error) {
	var key eventKey
	if err := json.Unmarshal(text, &key); err != nil {
		return nil, err
	}
	event := newEvent(key)
	return event, json.Unmarshal(text, event)
}
