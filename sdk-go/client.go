package slipway

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// Client is a client of /v1 with one method per operation. Several goroutines can use it.
type Client struct {
	baseURL string
	// A function, so that a printed client shows no key.
	authorise  func(http.Header)
	httpClient *http.Client
	defaults   settings
}

// New returns a client of /v1. It fails if the key or the address is malformed.
//
// The key is an API key of your app. Keep it on a server: the API refuses a key that a browser page sends.
func New(baseURL, key string, options ...ClientOption) (*Client, error) {
	// Refused here without printing the key: an HTTP library would print a header that it cannot send.
	isInvalid := func(char rune) bool { return char < '!' || char > '~' }
	if key == "" || strings.ContainsFunc(key, isInvalid) {
		return nil, errors.New("slipway: key must be an API key: it is missing or contains invalid characters")
	}
	if !isAddress(baseURL) {
		return nil, errors.New("slipway: baseURL must be an http(s) address with only a host and a path")
	}
	client := &Client{
		baseURL:    strings.TrimRight(baseURL, "/"),
		authorise:  func(header http.Header) { header.Set("Authorization", "Bearer "+key) },
		httpClient: withoutRedirects(http.DefaultClient),
		defaults:   settings{maxRetries: defaultMaxRetries, timeout: defaultTimeout},
	}
	for _, option := range options {
		option.applyToClient(client)
	}
	return client, nil
}

func isAddress(text string) bool {
	address, err := url.Parse(text)
	if err != nil || address.Host == "" || address.User != nil {
		return false
	}
	isHTTP := address.Scheme == "http" || address.Scheme == "https"
	return isHTTP && address.RawQuery == "" && !address.ForceQuery && address.Fragment == ""
}

// The key is sent only to the configured origin.
func withoutRedirects(client *http.Client) *http.Client {
	changed := *client
	changed.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &changed
}
