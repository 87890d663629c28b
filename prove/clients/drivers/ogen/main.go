// Calls the API with the client of ogen, and prints the result of each step as a line of JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"matrix/client"
)

type token string

// Key returns the key for the security scheme `key` of the document.
func (name token) Key(context.Context, client.OperationName) (client.Key, error) {
	return client.Key{Token: os.Getenv(string(name))}, nil
}

func print(result map[string]any) {
	text, err := json.Marshal(result)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
}

func clientFor(key string) *client.Client {
	api, err := client.NewClient(os.Getenv("API_URL"), token(key))
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
	params := client.ListServersParams{Limit: client.NewOptInt32(2)}
	for {
		answer, err := api.ListServers(ctx, params)
		if err != nil {
			log.Fatal(err)
		}
		page := answer.(*client.ServerListHeaders).Response
		for _, server := range page.Data {
			ids = append(ids, server.ID)
		}
		if page.NextCursor.Null {
			break
		}
		params.Cursor = client.NewOptString(page.NextCursor.Value)
	}
	print(map[string]any{"step": "list", "ids": ids})

	input := client.TicketInput{Subject: idempotencyKey, Body: "Sent twice."}
	created := []string{}
	for range 2 {
		answer, err := api.CreateTicket(ctx, &input, client.CreateTicketParams{ServerId: serverID, IdempotencyKey: client.NewOptString(idempotencyKey)})
		if err != nil {
			log.Fatal(err)
		}
		created = append(created, answer.(*client.TicketHeaders).Response.ID)
	}
	print(map[string]any{"step": "create", "ids": created})

	answer, err := clientFor("NARROW_KEY").CreateTicket(ctx, &input, client.CreateTicketParams{ServerId: serverID})
	if err != nil {
		log.Fatal(err)
	}
	refusal := answer.(*client.CreateTicketForbidden)
	print(map[string]any{"step": "refusal", "status": 403, "code": refusal.Response.Code})
}
