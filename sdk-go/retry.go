package slipway

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"
)

const (
	firstBackoff   = 500 * time.Millisecond
	longestBackoff = 8 * time.Second
	// If the API asks for a longer wait, the call fails immediately with the problem's RetryAfter.
	longestRetryAfter = 60 * time.Second
)

// waitBefore returns the wait before retry number retry (from 0), or false for no retry.
//
// The backoff is random between zero and a limit that doubles with each retry (full jitter). It is added to Retry-After,
// so that clients with the same Retry-After do not return at the same time.
func waitBefore(err error, retry int, draw func() float64) (time.Duration, bool) {
	if !isTransient(err, retry) {
		return 0, false
	}
	requested := time.Duration(0)
	var problem *Problem
	if errors.As(err, &problem) && problem.RetryAfter != nil {
		requested = *problem.RetryAfter
	}
	if requested > longestRetryAfter {
		return 0, false
	}
	limit := min(longestBackoff, firstBackoff<<min(retry, 10))
	return requested + time.Duration(draw()*float64(limit)), true
}

func isTransient(err error, retry int) bool {
	var connection *ConnectionError
	if errors.As(err, &connection) {
		return true
	}
	var problem *Problem
	if !errors.As(err, &problem) {
		return false
	}
	// After a lost response, the request in progress under this key is the call's own earlier attempt.
	if problem.Code == ProblemCodeIdempotencyInProgress {
		return retry > 0
	}
	switch problem.Status {
	case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// pause waits. It returns the context's error as soon as the context ends.
func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

func random() float64 { return rand.Float64() }
