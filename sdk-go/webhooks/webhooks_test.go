package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

const seconds = 1_764_000_000

var (
	key     = []byte("thirty-two bytes of a test key..")
	secrets = []string{"whsec_" + base64.StdEncoding.EncodeToString(key)}
	now     = WithNow(time.Unix(seconds, 900_000_000))
	body    = []byte(`{"id":"evt_1","type":"ping","schemaVersion":1,"data":{"text":"Grüße"}}`)
)

func signed(rawBody []byte) http.Header {
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "evt_1.%d.%s", seconds, rawBody)
	header := http.Header{}
	header.Set("webhook-id", "evt_1")
	header.Set("webhook-timestamp", fmt.Sprint(seconds))
	header.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	return header
}

func faultOf(rawBody []byte, header http.Header) Fault {
	_, err := Verify(rawBody, header, secrets, now)
	var fault *VerificationError
	if errors.As(err, &fault) {
		return fault.Code
	}
	return Fault(fmt.Sprint(err))
}

func TestAnyChangedByteIsRefused(t *testing.T) {
	for at := range body {
		changed := append([]byte{}, body...)
		changed[at] ^= 1
		if found := faultOf(changed, signed(body)); found != NoMatchingSignature {
			t.Errorf("byte %d: %s", at, found)
		}
	}
	if _, err := Verify(body, signed(body), secrets, now); err != nil {
		t.Error(err)
	}
}

func TestSignedBodyThatIsNoEventIsRefused(t *testing.T) {
	for _, one := range []string{"no JSON", "[]", "7", "\xff", `{"type":7}`} {
		if found := faultOf([]byte(one), signed([]byte(one))); found != MalformedBody {
			t.Errorf("%s: %s", one, found)
		}
	}
}

func TestOddHeadersAreRefused(t *testing.T) {
	for _, one := range []struct {
		name, value string
		fault       Fault
	}{
		{"webhook-timestamp", "+1764000000", MalformedHeader},
		{"webhook-timestamp", "-1764000000", MalformedHeader},
		{"webhook-timestamp", "1764000000.5", MalformedHeader},
		{"webhook-timestamp", "0001764000000", MalformedHeader},
		{"webhook-signature", "v1,", NoMatchingSignature},
		{"webhook-signature", "", MissingHeader},
		{"webhook-id", "evt.1", MalformedHeader},
	} {
		header := signed(body)
		header.Set(one.name, one.value)
		if found := faultOf(body, header); found != one.fault {
			t.Errorf("%s %q: %s", one.name, one.value, found)
		}
	}
}

func TestToleranceCanBeChanged(t *testing.T) {
	later := WithNow(time.Unix(seconds+11, 0))
	if _, err := Verify(body, signed(body), secrets, later); err != nil {
		t.Error(err)
	}
	if _, err := Verify(body, signed(body), secrets, later, WithTolerance(10*time.Second)); err == nil {
		t.Error("a message of 11 seconds was accepted")
	}
}

func TestMalformedSecretIsRefusedWithoutShowingIt(t *testing.T) {
	encoded := strings.TrimPrefix(secrets[0], "whsec_")
	for _, one := range [][]string{
		nil, {""}, {"whsec_"}, {encoded}, {secrets[0] + "\n"}, {secrets[0][:len(secrets[0])-1]}, {secrets[0], "whsec_!!!!"},
	} {
		if _, err := Verify(body, signed(body), one, now); !errors.Is(err, ErrSecret) {
			t.Errorf("%q: %v", one, err)
		}
	}
}
