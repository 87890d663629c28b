// Sends to the receivers of `npm run prove -- webhooks --only hostile` through the outbound client, several times each.
// An attempt frees its slot at the deadline, keeps little of the response, and follows no redirect.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  HOSTILE_BEHAVIOURS,
  type HostileReceiver,
  startHostile,
} from '../../../../prove/webhooks/hostile-receivers.ts';
import { createOutboundClient, type OutboundClient } from '../../kit/outbound/outbound.ts';

const DEADLINE_MS = 500;
/** For attempts that end before any deadline, which would be a timeout. No busy machine reaches it first. */
const PATIENCE_MS = 15_000;
const MAX_BYTES = 16_384;
const AT_ONCE = 8;

let receivers: HostileReceiver[];
let outbound: OutboundClient;
beforeAll(async () => {
  receivers = await Promise.all(Object.keys(HOSTILE_BEHAVIOURS).map(startHostile));
  outbound = createOutboundClient({ allowHosts: receivers.map(({ port }) => `127.0.0.1:${port}`) });
});
afterAll(async () => {
  await outbound.close();
  await Promise.all(receivers.map((receiver) => receiver.close()));
});

// A response whose head was received counts as a response. Anything else is a failure with its kind.
const OUTCOMES: Record<string, string> = {
  'never answers': 'timeout',
  'drips its header': 'timeout',
  'drips its body': 'timeout',
  'has an endless body': '200, cut',
  'announces 10 GB': '200, cut',
  'sends a gzip bomb': '200, cut',
  'floods with headers': 'protocol',
  'floods with informational responses': 'protocol',
  'floods with chunk extensions': 'protocol',
  'resets in the middle': 'protocol',
  'redirects to the metadata address': '307',
};

test('every hostile receiver has an expected outcome', () =>
  expect(Object.keys(OUTCOMES)).toEqual(Object.keys(HOSTILE_BEHAVIOURS)));

test.each(Object.entries(OUTCOMES))('a receiver that %s ends as %s', async (kind, outcome) => {
  const url = `http://127.0.0.1:${receivers.find((one) => one.kind === kind)?.port}/`;
  const totalTimeoutMs = outcome === 'timeout' ? DEADLINE_MS : PATIENCE_MS;
  const limits = { connectTimeoutMs: totalTimeoutMs, totalTimeoutMs, maxResponseBytes: MAX_BYTES };
  const request = { url, headers: {}, body: Buffer.from('{}'), ...limits };
  const results = await Promise.all(Array.from({ length: AT_ONCE }, () => outbound.post(request)));
  for (const result of results) {
    if (result.kind === 'failure') {
      expect(result.failure).toBe(outcome);
      if (outcome === 'timeout') expect(result.detail).toBe(`No complete response within ${DEADLINE_MS} ms.`);
    } else {
      expect(`${result.status}${result.isBodyTruncated ? ', cut' : ''}`).toBe(outcome);
      // The bytes as received: compressed content is never expanded here.
      expect(result.body.length).toBeLessThanOrEqual(MAX_BYTES);
    }
  }
});
