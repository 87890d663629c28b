// Tests verification against two independent signers: the public library, and the server.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as webhooks from '@slipway/sdk/webhooks';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { createSigningSecret, sign } from '../../server/src/kit/crypto/standard-webhooks.ts';

const SECRET = createSigningSecret().reveal();
const OTHER = createSigningSecret().reveal();
const NOW = new Date('2026-11-21T10:00:00.900Z');
const SECONDS = Math.floor(NOW.getTime() / 1000);
const BODY = '{"id":"evt_1","type":"ping","schemaVersion":1,"data":{"text":"Grüße"}}';

interface Message {
  body?: string | Uint8Array;
  id?: string;
  seconds?: number | string;
  signature?: string;
}

function signed({ body = BODY, id = 'evt_1', seconds = SECONDS, signature }: Message = {}) {
  const key = Buffer.from(SECRET.slice(6), 'base64');
  const own = `v1,${createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest('base64')}`;
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signature ?? own };
}

const verify = (
  body: string | Uint8Array,
  headers: webhooks.WebhookHeaders,
  secret: string | readonly string[] = SECRET,
) => webhooks.verify(body, headers, secret, { now: NOW });

function faultOf(run: () => unknown): string {
  try {
    run();
    return 'none';
  } catch (error) {
    return error instanceof webhooks.WebhookVerificationError ? error.code : String(error);
  }
}

describe('accepted messages', () => {
  test('accepts a message that the public library signed', () => {
    const signature = new Webhook(SECRET).sign('evt_1', NOW, BODY);
    expect(verify(BODY, signed({ signature }))).toEqual(JSON.parse(BODY));
  });

  test('accepts a message that the server signed, over HTTP, with bytes as body and headers as Node provides them', async () => {
    const secret = createSigningSecret();
    const seconds = Math.floor(Date.now() / 1000);
    const outcome = new Promise((resolve) => {
      const server = createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
        resolve(webhooks.verify(Buffer.concat(chunks), request.headers, secret.reveal()));
        response.end();
        server.close();
      }).listen(0, '127.0.0.1');
      void once(server, 'listening').then(() => {
        const { port } = server.address() as AddressInfo; // a TCP server has a port
        const headers = { ...signed({ seconds }), 'webhook-signature': sign([secret], 'evt_1', seconds, BODY) };
        return fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: BODY, headers });
      });
    });
    expect(await outcome).toMatchObject({ type: 'ping', data: { text: 'Grüße' } });
  });

  test('accepts headers of every kind', () => {
    const headers = signed();
    const shouted = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    for (const one of [headers, shouted, new Headers(headers)]) expect(verify(BODY, one).type).toBe('ping');
  });

  test('accepts any of several signatures by any of several secrets, during a rotation', () => {
    const { 'webhook-signature': own } = signed();
    const others = `v1,${'A'.repeat(43)}= v1a,${'B'.repeat(86)}==`;
    expect(verify(BODY, signed({ signature: `${others} ${own}` })).type).toBe('ping');
    expect(verify(BODY, signed(), [OTHER, SECRET]).type).toBe('ping');
    expect(faultOf(() => verify(BODY, signed(), [OTHER]))).toBe('no_matching_signature');
  });

  test.each([300, -300])('accepts a clock that is %i seconds off, and no more', (off) => {
    const at = (seconds: number) => faultOf(() => verify(BODY, signed({ seconds })));
    expect(at(SECONDS + off)).toBe('none');
    expect(at(SECONDS + off + Math.sign(off))).toBe(off > 0 ? 'timestamp_too_new' : 'timestamp_too_old');
    const options = { now: NOW, toleranceSeconds: 10 };
    expect(() => webhooks.verify(BODY, signed({ seconds: SECONDS + off }), SECRET, options)).toThrow();
  });
});

describe('refused messages', () => {
  test('refuses a body with any changed byte', () => {
    const headers = signed();
    const bytes = Buffer.from(BODY);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Buffer.from(bytes);
        changed[at] = (bytes[at] ?? 0) ^ change;
        return faultOf(() => verify(changed, headers)) === 'no_matching_signature';
      }),
    );
  });

  test('refuses other bytes that decode to the same text', () => {
    const signedBytes = Buffer.from([0x22, 0xff, 0x22]);
    const readsTheSame = Buffer.from('"\ufffd"');
    expect(faultOf(() => verify(readsTheSame, signed({ body: signedBytes })))).toBe('no_matching_signature');
    expect(faultOf(() => verify(signedBytes, signed({ body: signedBytes })))).toBe('malformed_body');
  });

  const { 'webhook-signature': own } = signed();
  test.each([
    ['of another kind', own.replace('v1,', 'v2,')],
    ['without its version', own.slice(3)],
    ['cut short', own.slice(0, -1)],
    ['with more behind it', `${own}A`],
    ['whose base64 only decodes to the same', own.replace('=', '')],
    ['that is nothing but a version', 'v1,'],
  ])('refuses a signature %s', (_, signature) => {
    expect(faultOf(() => verify(BODY, signed({ signature })))).toBe('no_matching_signature');
  });

  test.each([
    ['webhook-id', 'no_matching_signature', 'evt_2'],
    ['webhook-timestamp', 'no_matching_signature', String(SECONDS + 1)],
    ['webhook-timestamp', 'malformed_header', 'soon'],
    ['webhook-timestamp', 'malformed_header', `${SECONDS}.5`],
    ['webhook-timestamp', 'malformed_header', `-${SECONDS}`],
    ['webhook-timestamp', 'malformed_header', '1e9'],
    ['webhook-id', 'missing_header', ''],
    ['webhook-signature', 'missing_header', undefined],
    ['webhook-signature', 'missing_header', [own, own]],
  ])('refuses a message by %s: %s if its value is %j', (name, fault, value) => {
    expect(faultOf(() => verify(BODY, { ...signed(), [name]: value }))).toBe(fault);
  });

  test('refuses an id that runs into the timestamp', () => {
    const headers = signed({ id: 'evt_1.5' });
    expect(faultOf(() => verify(BODY, headers))).toBe('malformed_header');
  });

  test('refuses a signed body that is not JSON', () => {
    expect(faultOf(() => verify('hello', signed({ body: 'hello' })))).toBe('malformed_body');
  });

  test.each([
    '',
    'whsec_',
    SECRET.slice(6),
    `${SECRET} `,
    'whsec_nöthing',
    `whsec_${'é'.repeat(8)}`,
  ])('refuses an invalid secret without repeating it: %j', (secret) => {
    const run = (): unknown => verify(BODY, signed(), secret);
    expect(run).toThrow('A signing secret must be whsec_ and base64, as the Console shows it.');
  });

  test('refuses a parsed body, and a missing secret', () => {
    const parsed = JSON.parse(BODY) as string; // as untyped JavaScript would pass it
    expect(() => verify(parsed, signed())).toThrow(/rawBody must be the body as it arrived/);
    // An environment variable that is not set, in JavaScript.
    for (const secret of [undefined, null, 7, {}, [], [undefined], [SECRET, undefined]] as unknown as string[]) {
      const run = (): unknown => webhooks.verify(BODY, signed(), secret, { now: NOW });
      expect(run).toThrow(new TypeError('secret must be a signing secret or a list of them.'));
    }
  });
});
