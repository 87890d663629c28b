// Loaded into a node of production before its own code: writes synchronously when a mutation had its permit, right
// before its header is written. undici publishes the channel after `onRequestStart`, which asks for the permit.
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';

subscribe('undici:client:sendHeaders', ({ request, headers }) => {
  if (request.method !== 'POST') return;
  const key = /^idempotency-key: (\S+)/im.exec(headers)?.[1];
  if (key) appendFileSync(process.env.PROVE_PERMITS, `${JSON.stringify({ key, atMs: Date.now() })}\n`);
});
