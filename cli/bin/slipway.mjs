#!/usr/bin/env node
// `slipway`: the built command line. `npm run build` at the root builds it.
await import('../dist/main.js');
