// Command conformance performs the steps of test/conformance/scenario.json with the Go SDK. It reads the steps as JSON
// from stdin, and writes a result per step as JSON to stdout.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"time"

	"slipway.example/slipway"
	"slipway.example/slipway/webhooks"
)

type step struct {
	Name           string
	Action         string
	Limit          int
	Body           slipway.TicketInput
	IdempotencyKey string
	Key            string
}

type message struct {
	Name    string
	Body    string
	Headers map[string]string
	Secrets []string
	Now     int64
}

type input struct {
	APIURL    string `json:"apiUrl"`
	Key       string
	NarrowKey string
	ServerID  string `json:"serverId"`
	Steps     []step
	Messages  []message
}

type result map[string]any

func main() {
	var given input
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		log.Fatal(err)
	}
	results := []result{}
	for _, one := range given.Steps {
		found, err := perform(context.Background(), given, one)
		if err != nil {
			log.Fatalf("%s: %v", one.Name, err)
		}
		found["name"] = one.Name
		results = append(results, found)
	}
	if err := json.NewEncoder(os.Stdout).Encode(results); err != nil {
		log.Fatal(err)
	}
}

func perform(ctx context.Context, given input, one step) (result, error) {
	key := given.Key
	if one.Key == "narrow" {
		key = given.NarrowKey
	}
	client, err := slipway.New(given.APIURL, key)
	if err != nil {
		return nil, err
	}
	header := slipway.WithHeader("conformance-step", url.PathEscape(one.Name))
	create := func() (*slipway.Ticket, slipway.ResponseInfo, error) {
		var info slipway.ResponseInfo
		options := []slipway.MutationOption{header, slipway.WithResponse(&info)}
		if one.IdempotencyKey != "" {
			options = append(options, slipway.WithIdempotencyKey(one.IdempotencyKey))
		}
		ticket, err := client.CreateTicket(ctx, given.ServerID, one.Body, options...)
		return ticket, info, err
	}
	switch one.Action {
	case "list":
		servers := client.ListServers(ctx, slipway.ListServersInput{Limit: one.Limit}, header)
		return readList(servers, func(server slipway.Server) string { return server.ID })
	case "feed":
		events := client.ListEvents(ctx, slipway.ListEventsInput{Limit: one.Limit}, header)
		return readList(events, func(event slipway.Event) string { return event.ID })
	case "tickets":
		tickets := client.ListTickets(ctx, given.ServerID, slipway.ListTicketsInput{Limit: one.Limit}, header)
		return readList(tickets, func(ticket slipway.Ticket) string { return ticket.ID })
	case "create":
		ticket, info, err := create()
		if err != nil {
			return nil, err
		}
		return result{"id": ticket.ID, "isReplayed": info.IsReplayed, "status": info.Status}, nil
	case "createTwice":
		first, firstInfo, err := create()
		if err != nil {
			return nil, err
		}
		second, secondInfo, err := create()
		if err != nil {
			return nil, err
		}
		return result{
			"ids":        []string{first.ID, second.ID},
			"isReplayed": []bool{firstInfo.IsReplayed, secondInfo.IsReplayed},
			"statuses":   []int{firstInfo.Status, secondInfo.Status},
			"priority":   first.Priority,
		}, nil
	case "refused":
		_, err := client.ListEvents(ctx, slipway.ListEventsInput{Limit: one.Limit}, header).Page()
		return problemOf(err)
	case "retried":
		retries := []result{}
		onRetry := slipway.WithOnRetry(func(retry slipway.Retry) {
			code := ""
			var problem *slipway.Problem
			if errors.As(retry.Err, &problem) {
				code = string(problem.Code)
			}
			retries = append(retries, result{"attempt": retry.Attempt, "maxAttempts": retry.MaxAttempts, "code": code})
		})
		me, err := client.GetMe(ctx, header, onRetry)
		if err != nil {
			return nil, err
		}
		return result{"environment": me.Environment, "retries": retries}, nil
	case "verify":
		return verifyAll(given.Messages)
	}
	return nil, fmt.Errorf("unknown action %s", one.Action)
}

func readList[Page, Item any](list *slipway.ListCall[Page, Item], idOf func(Item) string) (result, error) {
	ids, pages := []string{}, 0
	for item, err := range list.All() {
		if err != nil {
			return nil, err
		}
		ids = append(ids, idOf(item))
	}
	for _, err := range list.Pages() {
		if err != nil {
			return nil, err
		}
		pages++
	}
	return result{"ids": ids, "pages": pages}, nil
}

func problemOf(err error) (result, error) {
	if err == nil {
		return result{"isProblem": false}, nil
	}
	var problem *slipway.Problem
	if !errors.As(err, &problem) {
		return nil, err
	}
	pointers := []string{}
	for _, part := range problem.Errors {
		pointers = append(pointers, part.Pointer)
	}
	var retryAfter *float64
	if problem.RetryAfter != nil {
		seconds := problem.RetryAfter.Seconds()
		retryAfter = &seconds
	}
	return result{
		"isProblem":         true,
		"status":            problem.Status,
		"code":              problem.Code,
		"requestId":         problem.RequestID,
		"retryAfterSeconds": retryAfter,
		"pointers":          pointers,
	}, nil
}

func verifyAll(messages []message) (result, error) {
	outcomes := map[string]string{}
	for _, one := range messages {
		_, err := verify(one)
		var refused *webhooks.VerificationError
		switch {
		case err == nil:
			outcomes[one.Name] = "verified"
		case errors.As(err, &refused):
			outcomes[one.Name] = string(refused.Code)
		case errors.Is(err, webhooks.ErrSecret):
			outcomes[one.Name] = "malformed_secret"
		default:
			outcomes[one.Name] = err.Error()
		}
	}
	event, err := verify(messages[0])
	if err != nil {
		return nil, err
	}
	said := result{}
	if created, isCreated := event.(*slipway.TicketCreatedV1); isCreated {
		info := event.Info()
		said = result{"type": info.Type, "schemaVersion": info.SchemaVersion, "subject": created.Data.Subject}
	}
	return result{"outcomes": outcomes, "event": said}, nil
}

func verify(one message) (slipway.WebhookEvent, error) {
	header := http.Header{}
	for name, value := range one.Headers {
		header.Set(name, value)
	}
	return webhooks.Verify([]byte(one.Body), header, one.Secrets, webhooks.WithNow(time.Unix(one.Now, 0)))
}
