package slipway

import (
	"fmt"
	"strings"
	"time"
)

// Error is implemented by all errors of a call, except those of its context: the API refused the call, or no response
// was received.
type Error interface {
	error
	isSlipwayError()
}

// ProblemCodeUnknown is the code of a response that does not come from Slipway.
const ProblemCodeUnknown ProblemCode = "unknown"

// Problem is a refusal of the API (RFC 9457). Distinguish refusals by Code. A newer API can return further codes.
type Problem struct {
	// Address of the page that explains the problem.
	Type  string `json:"type"`
	Title string `json:"title"`
	// HTTP status.
	Status int         `json:"status"`
	Code   ProblemCode `json:"code"`
	// Id of the last attempt. Empty if the response had no id.
	RequestID string `json:"requestId"`
	Detail    string `json:"detail,omitempty"`
	// The invalid parts of the request.
	Errors []ProblemError `json:"errors,omitempty"`
	// The time that the API asks to wait before the next attempt. Nil if it does not ask.
	RetryAfter *time.Duration `json:"-"`
}

func (*Problem) isSlipwayError() {}

func (p *Problem) Error() string {
	identity := string(p.Code)
	if p.RequestID != "" {
		identity += ", " + p.RequestID
	}
	text := fmt.Sprintf("slipway: %s (%s)", p.Title, identity)
	if reason := p.reason(); reason != "" {
		text += ": " + reason
	}
	return text
}

const maxPartsInMessage = 3

// reason returns the invalid parts of the request, or the detail. Often only the message of an error is printed.
func (p *Problem) reason() string {
	if p.Code != ProblemCodeInvalidRequest || len(p.Errors) == 0 {
		return p.Detail
	}
	parts := []string{}
	for _, part := range p.Errors[:min(len(p.Errors), maxPartsInMessage)] {
		pointer := part.Pointer
		if pointer == "" {
			pointer = "(body)"
		}
		parts = append(parts, pointer+" "+part.Detail)
	}
	if more := len(p.Errors) - maxPartsInMessage; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, "; ")
}

// ConnectionError reports that no complete response was received. The API may have performed the operation.
type ConnectionError struct{ Err error }

func (*ConnectionError) isSlipwayError() {}

func (e *ConnectionError) Error() string { return fmt.Sprintf("slipway: no answer: %v", e.Err) }

// Unwrap returns the reason.
func (e *ConnectionError) Unwrap() error { return e.Err }

// TimeoutError reports that an attempt took longer than its timeout. The API may have performed the operation.
// errors.As also finds a *ConnectionError in it.
type TimeoutError struct {
	Timeout time.Duration
	Err     error
}

func (*TimeoutError) isSlipwayError() {}

func (e *TimeoutError) Error() string { return fmt.Sprintf("slipway: no answer within %v", e.Timeout) }

// Unwrap returns the error as a *ConnectionError.
func (e *TimeoutError) Unwrap() error { return &ConnectionError{e.Err} }

// ResponseError reports a successful response that is not JSON of the expected structure.
type ResponseError struct {
	Status int
	Err    error
}

func (*ResponseError) isSlipwayError() {}

func (e *ResponseError) Error() string {
	return fmt.Sprintf(
		"slipway: the response (HTTP %d) is not the expected JSON, check that baseURL is the address of an API: %v",
		e.Status, e.Err)
}

// Unwrap returns the reason.
func (e *ResponseError) Unwrap() error { return e.Err }
