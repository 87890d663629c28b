#!/usr/bin/env node
// `slipway-server`: the built server. `npm start` at the root builds it first.
import { existsSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);
if (existsSync(main)) {
  await import(main.href);
} else {
  console.error('slipway: it has not been built yet. Run `npm start` or `npm run build` in the repository first.');
  process.exitCode = 1;
}
