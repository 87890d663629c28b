module slipway.example/slipway

go 1.23
