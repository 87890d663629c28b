package slipway

import (
	"net/http"
	"time"
)

const (
	defaultMaxRetries = 2
	defaultTimeout    = 30 * time.Second
)

// settings are the options of a call.
type settings struct {
	maxRetries     int
	timeout        time.Duration
	onRetry        func(Retry)
	header         http.Header
	idempotencyKey string
	response       *ResponseInfo
}

// Retry is a failed attempt that is repeated after a wait.
type Retry struct {
	// The failure: a *Problem or a *ConnectionError.
	Err error
	// The wait before the next attempt.
	Wait time.Duration
	// The number of the next attempt; the first attempt is 1.
	Attempt int
	// The number of attempts that the call makes at most.
	MaxAttempts int
}

// ClientOption is an option of New.
type ClientOption interface{ applyToClient(*Client) }

// MutationOption is an option of a call that takes an idempotency key. Each CallOption is also a MutationOption.
type MutationOption interface{ applyToCall(*settings) }

// CallOption is an option of a call.
type CallOption interface {
	MutationOption
	forEveryCall()
}

// Option is an option of a client and of a call. The option of a call replaces the option of the client.
type Option interface {
	ClientOption
	CallOption
}

type clientOption func(*Client)

func (apply clientOption) applyToClient(client *Client) { apply(client) }

type mutationOption func(*settings)

func (apply mutationOption) applyToCall(target *settings) { apply(target) }

type callOption func(*settings)

func (apply callOption) applyToCall(target *settings) { apply(target) }
func (callOption) forEveryCall()                      {}

type option func(*settings)

func (apply option) applyToClient(client *Client) { apply(&client.defaults) }
func (apply option) applyToCall(target *settings) { apply(target) }
func (option) forEveryCall()                      {}

// WithMaxRetries sets the number of retries after a transient failure. The default is 2.
func WithMaxRetries(count int) Option {
	return option(func(target *settings) { target.maxRetries = count })
}

// WithTimeout sets the time that each attempt may take, including its response. The default is 30 seconds.
func WithTimeout(timeout time.Duration) Option {
	return option(func(target *settings) { target.timeout = timeout })
}

// WithOnRetry sets a function that is called before each wait, for example to log that the API is unavailable.
func WithOnRetry(onRetry func(Retry)) Option {
	return option(func(target *settings) { target.onRetry = onRetry })
}

// WithHTTPClient replaces http.DefaultClient. The client does not follow redirects, whatever its CheckRedirect.
func WithHTTPClient(client *http.Client) ClientOption {
	return clientOption(func(target *Client) { target.httpClient = withoutRedirects(client) })
}

// WithHeader adds a header to a call.
func WithHeader(name, value string) CallOption {
	return callOption(func(target *settings) {
		if target.header == nil {
			target.header = http.Header{}
		}
		target.header.Set(name, value)
	})
}

// WithResponse writes status, headers and request id of the successful response into info. For a list, info has the
// response of the last page that was requested.
func WithResponse(info *ResponseInfo) CallOption {
	return callOption(func(target *settings) { target.response = info })
}

// WithIdempotencyKey sets the key of a mutation. With the same key the API returns the first response again for 24
// hours. The client generates a key for each call. Pass your own key if you repeat the call yourself, for example after
// a restart.
func WithIdempotencyKey(key string) MutationOption {
	return mutationOption(func(target *settings) { target.idempotencyKey = key })
}
