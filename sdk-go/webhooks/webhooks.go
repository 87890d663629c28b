// Package webhooks verifies webhooks (Standard Webhooks) over the raw bytes of the body. A body that was parsed and
// serialised again has other bytes.
//
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"slipway.example/slipway"
)

// Fault is the reason for a failed verification. Respond with 400: the message is forged, changed or too old.
type Fault string

// The reasons for a failed verification.
const (
	MissingHeader       Fault = "missing_header"
	MalformedHeader     Fault = "malformed_header"
	TimestampTooOld     Fault = "timestamp_too_old"
	TimestampTooNew     Fault = "timestamp_too_new"
	NoMatchingSignature Fault = "no_matching_signature"
	MalformedBody       Fault = "malformed_body"
)

// VerificationError reports that a message did not verify.
type VerificationError struct {
	Code    Fault
	message string
}

func (e *VerificationError) Error() string { return "slipway: " + e.message }

// ErrSecret reports a malformed signing secret. It never contains the secret.
var ErrSecret = errors.New("slipway: a signing secret must be whsec_ and base64, as the Console shows it")

const (
	defaultTolerance = 5 * time.Minute
	secretPrefix     = "whsec_"
	maxDigits        = 12
)

type settings struct {
	tolerance time.Duration
	now       time.Time
}

// Option is an option of Verify.
type Option func(*settings)

// WithTolerance sets the largest difference between the timestamp and now. The default is five minutes.
func WithTolerance(tolerance time.Duration) Option {
	return func(target *settings) { target.tolerance = tolerance }
}

// WithNow replaces the current time, to verify a stored message.
func WithNow(now time.Time) Option {
	return func(target *settings) { target.now = now }
}

// Verify returns the event of a delivery after verifying its signature and age. During a rotation of the signing secret,
// pass both secrets: a message passes if any of its signatures matches any of the secrets. The error is a
// *VerificationError if the message does not verify, and ErrSecret if a secret is malformed.
func Verify(rawBody []byte, header http.Header, secrets []string, options ...Option) (slipway.WebhookEvent, error) {
	effective := settings{tolerance: defaultTolerance, now: time.Now()}
	for _, option := range options {
		option(&effective)
	}
	keys, err := keysOf(secrets)
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		if values[name] = header.Get(name); values[name] == "" {
			return nil, &VerificationError{MissingHeader, "the header " + name + " is missing"}
		}
	}
	id, timestamp := values["webhook-id"], values["webhook-timestamp"]
	// With a dot in the id, two different messages could have the same signature.
	if strings.Contains(id, ".") {
		return nil, &VerificationError{MalformedHeader, "webhook-id must not contain a dot"}
	}
	if err := refuseUnlessRecent(timestamp, effective); err != nil {
		return nil, err
	}
	if !isSigned(id+"."+timestamp+".", rawBody, keys, strings.Split(values["webhook-signature"], " ")) {
		return nil, &VerificationError{NoMatchingSignature, "no signature matches a given secret"}
	}
	event, err := slipway.ParseEvent(rawBody)
	if err != nil {
		return nil, &VerificationError{MalformedBody, "the body is signed, but it is not an event"}
	}
	return event, nil
}

func isSigned(prefix string, rawBody []byte, keys [][]byte, signatures []string) bool {
	for _, key := range keys {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(prefix))
		mac.Write(rawBody)
		expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		for _, signature := range signatures {
			// Takes the same time wherever the two differ.
			if hmac.Equal([]byte(signature), expected) {
				return true
			}
		}
	}
	return false
}

func keysOf(secrets []string) ([][]byte, error) {
	keys := [][]byte{}
	for _, secret := range secrets {
		encoded, hasPrefix := strings.CutPrefix(secret, secretPrefix)
		// A malformed secret would be another key, and every message would look forged.
		key, err := base64.StdEncoding.DecodeString(encoded)
		if !hasPrefix || err != nil || len(key) == 0 || base64.StdEncoding.EncodeToString(key) != encoded {
			return nil, ErrSecret
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, ErrSecret
	}
	return keys, nil
}

func refuseUnlessRecent(timestamp string, effective settings) error {
	isNoDigit := func(char rune) bool { return char < '0' || char > '9' }
	sentAt, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || len(timestamp) > maxDigits || strings.ContainsFunc(timestamp, isNoDigit) {
		return &VerificationError{MalformedHeader, "webhook-timestamp must be in whole seconds"}
	}
	age := effective.now.Unix() - sentAt
	if tolerance := int64(effective.tolerance / time.Second); age > tolerance {
		return &VerificationError{TimestampTooOld, fmt.Sprintf("the message is %d seconds old", age)}
	} else if age < -tolerance {
		return &VerificationError{TimestampTooNew, fmt.Sprintf("the message is %d seconds ahead of this clock", -age)}
	}
	return nil
}
