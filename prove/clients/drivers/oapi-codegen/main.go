// Calls the API with the client of oapi-codegen, and prints the result of each step as a line of JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	"matrix/client"
)

func print(result map[string]any) {
	text, err := json.Marshal(result)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
}

func clientFor(key string) *client.ClientWithResponses {
	authorise := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv(key))
		return nil
	}
	api, err := client.NewClientWithResponses(os.Getenv("API_URL"), client.WithRequestEditorFn(authorise))
	if err != nil {
		log.Fatal(err)
	}
	return api
}

func main() {
	ctx := context.Background()
	api := clientFor("API_KEY")
	serverID, idempotencyKey := os.Getenv("SERVER_ID"), os.Getenv("IDEMPOTENCY_KEY")

	ids := []string{}
	limit := int32(2)
	params := client.ListServersParams{Limit: &limit}
	for {
		page, err := api.ListServersWithResponse(ctx, &params)
		if err != nil {
			log.Fatal(err)
		}
		for _, server := range page.JSON200.Data {
			ids = append(ids, server.Id)
		}
		if page.JSON200.NextCursor == nil {
			break
		}
		params.Cursor = page.JSON200.NextCursor
	}
	print(map[string]any{"step": "list", "ids": ids})

	input := client.TicketInput{Subject: idempotencyKey, Body: "Sent twice."}
	created := []string{}
	for range 2 {
		ticket, err := api.CreateTicketWithResponse(ctx, serverID, &client.CreateTicketParams{IdempotencyKey: &idempotencyKey}, input)
		if err != nil {
			log.Fatal(err)
		}
		created = append(created, ticket.JSON201.Id)
	}
	print(map[string]any{"step": "create", "ids": created})

	refusal, err := clientFor("NARROW_KEY").CreateTicketWithResponse(ctx, serverID, &client.CreateTicketParams{}, input)
	if err != nil {
		log.Fatal(err)
	}
	print(map[string]any{"step": "refusal", "status": refusal.StatusCode(), "code": refusal.ApplicationproblemJSON403.Code})
}
