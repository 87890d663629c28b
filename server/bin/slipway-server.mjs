#!/usr/bin/env node
// `slipway-server`: the built server. `npm start` at the root builds it first.
await import('../dist/main.js');
