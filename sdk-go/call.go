package slipway

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
)

// operation is an operation of the contract.
type operation struct {
	method              string
	path                string
	page                string
	takesIdempotencyKey bool
	isText              bool
}

// request has the input of a call.
type request struct {
	path  map[string]string
	query url.Values
	body  any
}

// prepared is the request of a call, which is the same for all its attempts: the same bytes and the same idempotency key.
type prepared struct {
	method string
	url    string
	header http.Header
	body   []byte
}

// answer is a successful response.
type answer struct {
	info ResponseInfo
	body []byte
}

func perform[Output any, Choice MutationOption](
	ctx context.Context, c *Client, op operation, input request, options []Choice,
) (Output, error) {
	var output Output
	effective := c.defaults
	for _, option := range options {
		option.applyToCall(&effective)
	}
	response, err := c.call(ctx, op, input, effective)
	if err != nil {
		return output, err
	}
	if text, isText := any(&output).(*string); isText && op.isText {
		*text = string(response.body)
	} else if err := json.Unmarshal(response.body, &output); err != nil {
		return output, &ResponseError{response.info.Status, err}
	}
	if effective.response != nil {
		*effective.response = response.info
	}
	return output, nil
}

func performObject[Output any, Choice MutationOption](
	ctx context.Context, c *Client, op operation, input request, options []Choice,
) (*Output, error) {
	output, err := perform[Output](ctx, c, op, input, options)
	if err != nil {
		return nil, err
	}
	return &output, nil
}

func performEmpty[Choice MutationOption](
	ctx context.Context, c *Client, op operation, input request, options []Choice,
) error {
	op.isText = true // there is nothing to read
	_, err := perform[string](ctx, c, op, input, options)
	return err
}

func (c *Client) call(ctx context.Context, op operation, input request, effective settings) (*answer, error) {
	request, err := c.prepare(op, input, effective)
	if err != nil {
		return nil, err
	}
	isRepeatable := op.method == http.MethodGet || op.takesIdempotencyKey
	for retry := 0; ; retry++ {
		response, err := c.attempt(ctx, request, effective)
		if err == nil {
			return response, nil
		}
		wait, isTransient := waitBefore(err, retry, random)
		if !isRepeatable || retry >= effective.maxRetries || !isTransient {
			return nil, err
		}
		if effective.onRetry != nil {
			effective.onRetry(Retry{Err: err, Wait: wait, Attempt: retry + 2, MaxAttempts: effective.maxRetries + 1})
		}
		if err := pause(ctx, wait); err != nil {
			return nil, err
		}
	}
}

func (c *Client) prepare(op operation, input request, effective settings) (prepared, error) {
	address, err := addressOf(op, input)
	if err != nil {
		return prepared{}, err
	}
	header := http.Header{"Accept": {"application/json"}}
	if op.isText {
		header.Set("Accept", "*/*")
	}
	maps.Copy(header, effective.header)
	var body []byte
	if input.body != nil {
		if body, err = json.Marshal(input.body); err != nil {
			return prepared{}, fmt.Errorf("slipway: the body cannot be written as JSON: %w", err)
		}
		header.Set("Content-Type", "application/json")
	}
	if effective.idempotencyKey != "" {
		header.Set("Idempotency-Key", effective.idempotencyKey)
	} else if op.takesIdempotencyKey && header.Get("Idempotency-Key") == "" {
		header.Set("Idempotency-Key", newUUID())
	}
	// Set last, so that a call cannot replace the client's headers.
	c.authorise(header)
	return prepared{op.method, c.baseURL + address, header, body}, nil
}

// addressOf returns path and query of an operation.
func addressOf(op operation, input request) (string, error) {
	path := op.path
	for name, value := range input.path {
		// An empty segment or dots would address another operation.
		if value == "" || value == "." || value == ".." {
			return "", fmt.Errorf("slipway: %s must be an identifier, not %q", name, value)
		}
		path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(value))
	}
	if query := input.query.Encode(); query != "" {
		path += "?" + query
	}
	return path, nil
}

// attempt performs one attempt: a request with a deadline, and its whole response.
func (c *Client) attempt(ctx context.Context, request prepared, effective settings) (*answer, error) {
	limited, cancel := context.WithTimeout(ctx, effective.timeout)
	defer cancel()
	response, body, err := c.exchange(limited, request)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, context.DeadlineExceeded):
		return nil, &TimeoutError{effective.timeout, err}
	default:
		return nil, &ConnectionError{err}
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return nil, problemOf(response, body)
	}
	return &answer{infoOf(response), body}, nil
}

func (c *Client) exchange(ctx context.Context, request prepared) (*http.Response, []byte, error) {
	message, err := http.NewRequestWithContext(ctx, request.method, request.url, bytes.NewReader(request.body))
	if err != nil {
		return nil, nil, err
	}
	message.Header = request.header.Clone()
	response, err := c.httpClient.Do(message)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response, body, err
}

// newUUID returns a random UUID (RFC 9562, version 4).
func newUUID() string {
	var id [16]byte
	if _, err := rand.Read(id[:]); err != nil {
		panic(err) // the operating system has no randomness
	}
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}
