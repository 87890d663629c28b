package slipway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

const testKey = "slw_test_thisIsTheSecretThatNoOutputMayShow"

const me = `{"environment":"sandbox","appId":"app_1","keyId":"key_1","kid":"abc","scopes":["servers:read"],` +
	`"expiresAt":"2026-12-01T10:00:00.000Z","further":true}`

type received struct {
	request *http.Request
	body    string
}

// peer sends prepared responses and records requests. The last response repeats for all further requests.
type peer struct {
	*httptest.Server
	mutex    sync.Mutex
	received []received
}

func startPeer(t *testing.T, answers ...http.HandlerFunc) *peer {
	one := &peer{}
	one.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		one.mutex.Lock()
		one.received = append(one.received, received{r, string(body)})
		answer := answers[min(len(one.received), len(answers))-1]
		one.mutex.Unlock()
		answer(w, r)
	}))
	t.Cleanup(func() {
		one.CloseClientConnections()
		one.Close()
	})
	return one
}

func (p *peer) client(t *testing.T, options ...ClientOption) *Client {
	client, err := New(p.URL+"/", testKey, options...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func reply(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for at := 0; at < len(headers); at += 2 {
			w.Header().Set(headers[at], headers[at+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func problem(status int, code string, headers ...string) http.HandlerFunc {
	body := fmt.Sprintf(`{"type":"https://peer.example/p","title":"A problem","status":%d,"code":%q,"requestId":"req_1"}`,
		status, code)
	return reply(status, body, append(headers, "Content-Type", "application/problem+json")...)
}

func reset(w http.ResponseWriter, _ *http.Request) {
	connection, _, _ := w.(http.Hijacker).Hijack()
	_ = connection.(*net.TCPConn).SetLinger(0)
	_ = connection.Close()
}

func incomplete(w http.ResponseWriter, _ *http.Request) {
	connection, buffer, _ := w.(http.Hijacker).Hijack()
	_, _ = buffer.WriteString("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"app")
	_ = buffer.Flush()
	_ = connection.Close()
}

func equal(t *testing.T, found, expected any) {
	t.Helper()
	if !reflect.DeepEqual(found, expected) {
		t.Errorf("found %#v, expected %#v", found, expected)
	}
}

func TestCallSendsTheKeyAndDecodesTheValue(t *testing.T) {
	one := startPeer(t, reply(200, me))
	found, err := one.client(t).GetMe(context.Background(), WithHeader("X-Mine", "1"), WithHeader("Authorization", "other"))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, []any{found.AppID, found.Scopes, found.ExpiresAt.Format(time.RFC3339)},
		[]any{"app_1", []Scope{ScopeServersRead}, "2026-12-01T10:00:00Z"})
	request := one.received[0].request
	equal(t, []string{request.Method, request.URL.String()}, []string{"GET", "/v1/me"})
	equal(t, []string{request.Header.Get("Authorization"), request.Header.Get("X-Mine")}, []string{"Bearer " + testKey, "1"})
}

func TestParametersAreEscapedAndOmittedIfZero(t *testing.T) {
	one := startPeer(t, reply(200, `{"data":[],"nextCursor":null}`))
	input := ListPublicationsInput{Limit: 2, Cursor: "x&y"}
	_, _ = one.client(t).ListPublications(context.Background(), "a/b?", input).Page()
	_, _ = one.client(t).ListPublications(context.Background(), "srv_1", ListPublicationsInput{}).Page()
	equal(t, []string{one.received[0].request.RequestURI, one.received[1].request.RequestURI},
		[]string{"/v1/servers/a%2Fb%3F/publications?cursor=x%26y&limit=2", "/v1/servers/srv_1/publications"})
	for _, wrong := range []string{"", ".", ".."} {
		if _, err := one.client(t).GetServer(context.Background(), wrong); err == nil {
			t.Errorf("%q was accepted as an identifier", wrong)
		}
	}
}

func TestMalformedKeyOrAddressIsRefusedAndTheKeyIsNotShown(t *testing.T) {
	for _, key := range []string{"", "a b", "a\n", "ä"} {
		if _, err := New("http://localhost", key); err == nil || !strings.Contains(err.Error(), "key must be") {
			t.Errorf("%q: %v", key, err)
		}
	}
	for _, address := range []string{"", "localhost", "ftp://a", "http://", "http://a:b@c", "http://a/?b", "http://a/#b"} {
		if _, err := New(address, testKey); err == nil || strings.Contains(err.Error(), testKey) {
			t.Errorf("%q: %v", address, err)
		}
	}
	one := startPeer(t, problem(403, "missing_scope"))
	client := one.client(t)
	_, err := client.GetMe(context.Background())
	if shown := fmt.Sprintf("%+v %#v %v", client, client, err); strings.Contains(shown, testKey) {
		t.Error("the key is shown")
	}
}

func TestBodyOmitsEmptyOptionalFields(t *testing.T) {
	one := startPeer(t, reply(201, `{"id":"tkt_1","number":7,"requester":null,"metadata":{"a":"b"}}`))
	body := TicketInput{Subject: "Grüße", Body: "b", Requester: &TicketRequesterInput{Name: "n", ExternalID: "4"}}
	var info ResponseInfo
	ticket, err := one.client(t).CreateTicket(context.Background(), "srv_1", body, WithResponse(&info))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, one.received[0].body, `{"subject":"Grüße","body":"b","requester":{"name":"n","externalId":"4"}}`)
	equal(t, []any{ticket.Number, ticket.Requester, ticket.Metadata, info.Status},
		[]any{7, (*TicketRequester)(nil), map[string]string{"a": "b"}, 201})
}

func TestListIsRequestedPageByPage(t *testing.T) {
	one := startPeer(t,
		reply(200, `{"data":[{"id":"a"},{"id":"b"}],"nextCursor":"2"}`),
		reply(200, `{"data":[],"nextCursor":"3"}`),
		reply(200, `{"data":[{"id":"c"}],"nextCursor":null}`))
	ids := []string{}
	for server, err := range one.client(t).ListServers(context.Background(), ListServersInput{Limit: 2}).All() {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, server.ID)
	}
	equal(t, ids, []string{"a", "b", "c"})
	queries := []string{}
	for _, received := range one.received {
		queries = append(queries, received.request.URL.RawQuery)
	}
	equal(t, queries, []string{"limit=2", "cursor=2&limit=2", "cursor=3&limit=2"})
}

func TestFeedStopsAtItsEndAndPassesEmptyPagesBeforeIt(t *testing.T) {
	one := startPeer(t,
		reply(200, `{"data":[{"id":"a"}],"nextAfter":"1","hasMore":true}`),
		reply(200, `{"data":[],"nextAfter":"2","hasMore":true}`),
		reply(200, `{"data":[{"id":"b"}],"nextAfter":"3","hasMore":false}`),
		reply(200, `{"data":[],"nextAfter":"3","hasMore":false}`))
	sizes := []int{}
	for page, err := range one.client(t).ListEvents(context.Background(), ListEventsInput{}).Pages() {
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, len(page.Data))
	}
	equal(t, sizes, []int{1, 0, 1})
	equal(t, len(one.received), 4)
}

func TestIterationEndsWithAnErrorOrABreak(t *testing.T) {
	one := startPeer(t, reply(200, `{"data":[{"id":"a"}],"nextCursor":"2"}`), problem(404, "not_found"))
	list := one.client(t).ListServers(context.Background(), ListServersInput{})
	var last error
	for _, err := range list.All() {
		last = err
	}
	var refused *Problem
	equal(t, errors.As(last, &refused), true)
	for range list.All() {
		break
	}
	equal(t, len(one.received), 3)
}

func TestRefusalIsAProblemWithItsFields(t *testing.T) {
	body := `{"type":"t","title":"A problem","status":400,"code":"invalid_request","requestId":"req_1","errors":[` +
		`{"pointer":"","detail":"a"},{"pointer":"/b","detail":"b"},{"pointer":"/c","detail":"c"},{"pointer":"/d","detail":"d"}]}`
	one := startPeer(t, reply(400, body, "Content-Type", "application/problem+json"))
	_, err := one.client(t).GetMe(context.Background())
	var refused *Problem
	if !errors.As(err, &refused) {
		t.Fatal(err)
	}
	equal(t, []any{refused.Status, refused.Code, refused.RequestID, refused.Errors[3].Pointer},
		[]any{400, ProblemCodeInvalidRequest, "req_1", "/d"})
	equal(t, err.Error(), "slipway: A problem (invalid_request, req_1): (body) a; /b b; /c c; and 1 more")
	var marked Error
	equal(t, errors.As(err, &marked), true)
}

func TestResponseOfAProxyIsAProblemOfUnknownCode(t *testing.T) {
	for _, body := range []string{"<h1>No</h1>", "{", "[]", `{"status":"x"}`} {
		one := startPeer(t, reply(404, body, "Content-Type", "application/problem+json"))
		_, err := one.client(t).GetMe(context.Background())
		var refused *Problem
		if !errors.As(err, &refused) {
			t.Fatal(err)
		}
		equal(t, []any{refused.Status, refused.Code, refused.Title}, []any{404, ProblemCodeUnknown, "Not Found"})
	}
	redirecting := startPeer(t, reply(302, "", "Location", "/v1/servers"))
	_, err := redirecting.client(t, WithHTTPClient(&http.Client{})).GetMe(context.Background())
	equal(t, strings.Contains(err.Error(), "redirects are not followed"), true)
	equal(t, len(redirecting.received), 1)
	strange := startPeer(t, reply(200, "<html>"))
	_, err = strange.client(t).GetMe(context.Background())
	var unexpected *ResponseError
	equal(t, errors.As(err, &unexpected), true)
}

func TestReadIsRetried(t *testing.T) {
	one := startPeer(t, reset, incomplete, reply(200, me))
	retries := []Retry{}
	found, err := one.client(t).GetMe(context.Background(), WithOnRetry(func(retry Retry) { retries = append(retries, retry) }))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, found.AppID, "app_1")
	equal(t, []int{retries[0].Attempt, retries[1].Attempt, retries[1].MaxAttempts}, []int{2, 3, 3})
}

func TestMutationIsRetriedWithTheSameBytesAndKey(t *testing.T) {
	one := startPeer(t, reset, reply(201, "{}"))
	client := one.client(t)
	for range 2 {
		if _, err := client.CreateTicket(context.Background(), "srv_1", TicketInput{Subject: "a", Body: "b"}); err != nil {
			t.Fatal(err)
		}
	}
	keys := []string{}
	for _, received := range one.received {
		keys = append(keys, received.request.Header.Get("Idempotency-Key"))
	}
	equal(t, []any{len(keys), keys[0] == keys[1], keys[1] == keys[2]}, []any{3, true, false})
	equal(t, one.received[0].body, one.received[1].body)
	equal(t, len(keys[0]), 36)
}

func TestMutationWithoutAnIdempotencyKeyIsNotRetried(t *testing.T) {
	one := startPeer(t, reset)
	_, err := one.client(t).ReportLeakedKey(context.Background(), LeakReport{Key: "slw_test_x"})
	var lost *ConnectionError
	equal(t, errors.As(err, &lost), true)
	equal(t, len(one.received), 1)
}

func TestCallFailsAfterItsLastRetryOrALongRetryAfter(t *testing.T) {
	for _, one := range []struct {
		answer  http.HandlerFunc
		options []CallOption
		count   int
	}{
		{problem(503, "unavailable"), []CallOption{WithMaxRetries(1)}, 2},
		{problem(503, "unavailable"), []CallOption{WithMaxRetries(0)}, 1},
		{problem(429, "rate_limited", "Retry-After", "61"), nil, 1},
		{problem(409, "idempotency_in_progress", "Retry-After", "0"), nil, 1},
		{problem(500, "internal_error"), nil, 1},
		{problem(404, "not_found"), nil, 1},
	} {
		peer := startPeer(t, one.answer)
		_, err := peer.client(t).GetMe(context.Background(), one.options...)
		var refused *Problem
		equal(t, errors.As(err, &refused), true)
		equal(t, len(peer.received), one.count)
	}
}

func TestTimeoutIsPerAttemptAndTheContextEndsTheCall(t *testing.T) {
	silent := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	one := startPeer(t, silent)
	_, err := one.client(t).GetMe(context.Background(), WithTimeout(20*time.Millisecond), WithMaxRetries(0))
	var late *TimeoutError
	var lost *ConnectionError
	equal(t, []bool{errors.As(err, &late), errors.As(err, &lost)}, []bool{true, true})

	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	_, err = one.client(t).GetMe(ctx)
	equal(t, errors.Is(err, context.Canceled), true)

	busy := startPeer(t, problem(503, "unavailable", "Retry-After", "60"))
	ctx, cancel = context.WithCancel(context.Background())
	_, err = busy.client(t).GetMe(ctx, WithOnRetry(func(Retry) { cancel() }))
	equal(t, errors.Is(err, context.Canceled), true)
	equal(t, len(busy.received), 1)
}

func TestBackoffDoublesUpToEightSecondsAndRetryAfterIsAdded(t *testing.T) {
	lost := &ConnectionError{errors.New("lost")}
	waits := []float64{}
	for retry := range 6 {
		wait, _ := waitBefore(lost, retry, func() float64 { return 1 })
		waits = append(waits, wait.Seconds())
	}
	equal(t, waits, []float64{0.5, 1, 2, 4, 8, 8})
	asked := 3 * time.Second
	wait, isTransient := waitBefore(&Problem{Status: 429, RetryAfter: &asked}, 0, func() float64 { return 0.5 })
	equal(t, []any{wait, isTransient}, []any{3250 * time.Millisecond, true})
	_, isTransient = waitBefore(&Problem{Status: 409, Code: ProblemCodeIdempotencyInProgress}, 1, random)
	equal(t, isTransient, true)
}

func TestRetryAfterIsReadAsSecondsOrAsADate(t *testing.T) {
	date, later := "Sat, 21 Nov 2026 10:00:00 GMT", "Sat, 21 Nov 2026 10:00:07 GMT"
	for _, one := range []struct {
		retryAfter, date string
		seconds          float64
	}{{" 5 ", "", 5}, {later, date, 7}, {date, later, 0}, {"soon", "", -1}, {"-1", "", -1}, {"", "", -1}} {
		found := retryAfterOf(http.Header{"Retry-After": {one.retryAfter}, "Date": {one.date}}, time.Now())
		seconds := -1.0
		if found != nil {
			seconds = found.Seconds()
		}
		equal(t, seconds, one.seconds)
	}
}

func TestRateLimitIsRead(t *testing.T) {
	one := startPeer(t, reply(200, me, "RateLimit", `"default";r=99;t=1`, "RateLimit-Policy", `"default";q=100;w=1`,
		"Request-Id", "req_9", "Idempotent-Replayed", "true"))
	var info ResponseInfo
	if _, err := one.client(t).GetMe(context.Background(), WithResponse(&info)); err != nil {
		t.Fatal(err)
	}
	equal(t, info.RateLimit, &RateLimit{Limit: 100, Remaining: 99, Reset: time.Second})
	equal(t, []any{info.RequestID, info.IsReplayed}, []any{"req_9", true})
}

func TestEventIsReadAsItsTypeAndVersion(t *testing.T) {
	event, err := ParseEvent([]byte(`{"id":"evt_1","type":"ticket.created","schemaVersion":2,"data":{"bodyMarkdown":"*a*"}}`))
	if err != nil {
		t.Fatal(err)
	}
	created, isCreated := event.(*TicketCreatedV2)
	equal(t, []any{isCreated, created.Data.BodyMarkdown, event.Info().ID}, []any{true, "*a*", "evt_1"})
	for _, text := range []string{`{"id":"evt_2","type":"no.such_type"}`, `{"id":"evt_2","type":"ping","schemaVersion":99}`} {
		var inside AnyEvent
		if err := json.Unmarshal([]byte(text), &inside); err != nil {
			t.Fatal(err)
		}
		_, isUnknown := inside.WebhookEvent.(*UnknownEvent)
		equal(t, []any{isUnknown, inside.Info().ID}, []any{true, "evt_2"})
	}
}
