// Package slipway is the client of the Slipway API. It uses the standard library only.
//
//	client, err := slipway.New("https://api.example.org", os.Getenv("SLIPWAY_KEY"))
//	for server, err := range client.ListServers(ctx, slipway.ListServersInput{}).All() {
//		...
//	}
//
// The package slipway.example/slipway/webhooks verifies webhooks.
package slipway
