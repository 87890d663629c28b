package slipway

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// RateLimit is the rate limit of the key at the time of the response.
type RateLimit struct {
	// Requests per window. 0 if the response does not have it.
	Limit int
	// Remaining requests in the window.
	Remaining int
	// Time until further requests are available.
	Reset time.Duration
}

// ResponseInfo has status and headers of a response.
type ResponseInfo struct {
	Status int
	// Id of the request for the Request Inspector and for support.
	RequestID string
	// Nil if the response has no rate limit.
	RateLimit *RateLimit
	// True if the response is the stored response of an earlier request with the same idempotency key.
	IsReplayed bool
	Header     http.Header
}

func infoOf(response *http.Response) ResponseInfo {
	header := response.Header
	return ResponseInfo{
		Status:     response.StatusCode,
		RequestID:  header.Get("Request-Id"),
		RateLimit:  rateLimitOf(header),
		IsReplayed: header.Get("Idempotent-Replayed") == "true",
		Header:     header,
	}
}

var parameterPattern = regexp.MustCompile(`;\s*(\w+)=(\d+)`)

// `RateLimit-Policy: "default";q=100;w=1` and `RateLimit: "default";r=99;t=1`
func rateLimitOf(header http.Header) *RateLimit {
	parametersOf := func(name string) map[string]int {
		parameters := map[string]int{}
		for _, found := range parameterPattern.FindAllStringSubmatch(header.Get(name), -1) {
			if number, err := strconv.Atoi(found[2]); err == nil {
				parameters[found[1]] = number
			}
		}
		return parameters
	}
	state := parametersOf("RateLimit")
	remaining, isGiven := state["r"]
	if !isGiven {
		return nil
	}
	return &RateLimit{
		Limit:     parametersOf("RateLimit-Policy")["q"],
		Remaining: remaining,
		Reset:     time.Duration(state["t"]) * time.Second,
	}
}

// A proxy can answer with a body that is not a Slipway problem.
func problemOf(response *http.Response, body []byte) *Problem {
	problem := &Problem{}
	if strings.Contains(response.Header.Get("Content-Type"), "problem+json") {
		// A field of another type stays empty.
		_ = json.Unmarshal(body, problem)
	}
	orElse := func(field *string, value string) {
		if *field == "" {
			*field = value
		}
	}
	title := http.StatusText(response.StatusCode)
	orElse(&title, fmt.Sprintf("HTTP %d", response.StatusCode))
	orElse(&problem.Type, "about:blank")
	orElse(&problem.Title, title)
	orElse((*string)(&problem.Code), string(ProblemCodeUnknown))
	orElse(&problem.RequestID, response.Header.Get("Request-Id"))
	if response.StatusCode < 400 {
		orElse(&problem.Detail,
			"redirects are not followed, because they could send the key to another origin; correct baseURL")
	}
	problem.Status = response.StatusCode
	problem.RetryAfter = retryAfterOf(response.Header, time.Now())
	return problem
}

// retryAfterOf returns Retry-After, from a number of seconds or from a date. A date is compared with the Date header of
// the response.
func retryAfterOf(header http.Header, now time.Time) *time.Duration {
	text := strings.TrimSpace(header.Get("Retry-After"))
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		wait := time.Duration(seconds) * time.Second
		return &wait
	}
	until, err := http.ParseTime(text)
	if err != nil {
		return nil
	}
	if date, err := http.ParseTime(header.Get("Date")); err == nil {
		now = date
	}
	wait := max(0, until.Sub(now))
	return &wait
}
