// Calls the API with the client of openapi-generator for Go, and prints the result of each step as a line of JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
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

func main() {
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: os.Getenv("API_URL")}}
	api := client.NewAPIClient(configuration)
	key := context.WithValue(context.Background(), client.ContextAccessToken, os.Getenv("API_KEY"))
	narrowKey := context.WithValue(context.Background(), client.ContextAccessToken, os.Getenv("NARROW_KEY"))
	serverID, idempotencyKey := os.Getenv("SERVER_ID"), os.Getenv("IDEMPOTENCY_KEY")

	ids := []string{}
	request := api.ServersAPI.ListServers(key).Limit(2)
	for {
		page, _, err := request.Execute()
		if err != nil {
			log.Fatal(err)
		}
		for _, server := range page.Data {
			ids = append(ids, server.Id)
		}
		if page.NextCursor.Get() == nil {
			break
		}
		request = request.Cursor(*page.NextCursor.Get())
	}
	print(map[string]any{"step": "list", "ids": ids})

	input := *client.NewTicketInput(idempotencyKey, "Sent twice.")
	created := []string{}
	for range 2 {
		ticket, _, err := api.TicketsAPI.CreateTicket(key, serverID).IdempotencyKey(idempotencyKey).TicketInput(input).Execute()
		if err != nil {
			log.Fatal(err)
		}
		created = append(created, ticket.Id)
	}
	print(map[string]any{"step": "create", "ids": created})

	_, response, err := api.TicketsAPI.CreateTicket(narrowKey, serverID).TicketInput(input).Execute()
	var refusal *client.GenericOpenAPIError
	if !errors.As(err, &refusal) {
		log.Fatal(err)
	}
	problem := refusal.Model().(client.Problem)
	print(map[string]any{"step": "refusal", "status": response.StatusCode, "code": problem.Code})
}
