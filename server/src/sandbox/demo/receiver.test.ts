import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sendRaw } from '../../../test/raw-socket.ts';
import { createSigningSecret, sign } from '../../kit/crypto/standard-webhooks.ts';
import { newToken } from '../../kit/crypto/token.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { CONNECTION_TIMEOUT_MS } from '../../kit/http/http.ts';
import { type DemoReceiver, startDemoReceiver } from './receiver.ts';

const secret = createSigningSecret();
const lines: object[] = [];
let secrets = [secret];
let receiver: DemoReceiver;
let origin: string;
beforeEach(async () => {
  lines.length = 0;
  secrets = [secret];
  receiver = await startDemoReceiver({
    host: '127.0.0.1',
    port: 0,
    secrets: async () => secrets,
    log: (line) => lines.push(line),
  });
  origin = new URL(receiver.url).origin;
});
afterEach(() => receiver.close());

const event = (subject: string) => JSON.stringify({ type: 'ticket.created', data: { subject } });
const post = (id: string, body: string, signed = body): Promise<Response> => {
  const timestamp = Math.floor(nowMs() / 1000);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign([secret], id, timestamp, signed),
  };
  return fetch(receiver.url, { method: 'POST', headers, body });
};
const received = async () => (await (await fetch(`${origin}/received`)).json()) as { eventId: string }[];

describe("the demo's receiver", () => {
  test('accepts a genuine message and counts a repeated one', async () => {
    expect((await post('evt_1', event('Grüße'))).status).toBe(204);
    expect((await post('evt_1', event('Grüße'))).status).toBe(204);
    expect(await received()).toMatchObject([
      { eventId: 'evt_1', type: 'ticket.created', subject: 'Grüße', isVerified: true, timesSeen: 2 },
    ]);
    expect(lines).toHaveLength(2);
  });

  test('refuses a message whose bytes were changed, says why, and keeps it apart from the genuine one', async () => {
    await post('evt_1', event('true'));
    const response = await post('evt_1', event('false'), event('true'));
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/signature/i);
    expect(await received()).toMatchObject([
      { eventId: 'evt_1', isVerified: false, subject: 'false' },
      { eventId: 'evt_1', isVerified: true, subject: 'true' },
    ]);
  });

  test('verifies with the secret of any endpoint that sends here, and with none but these', async () => {
    secrets = [createSigningSecret()];
    expect((await post('evt_1', event('a'))).status).toBe(400);
    secrets = [createSigningSecret(), secret];
    expect((await post('evt_1', event('a'))).status).toBe(204);
    secrets = [];
    expect((await post('evt_1', event('a'))).status).toBe(400);
  });

  test('refuses more than 512 KiB', async () => {
    const response = await post('evt_1', 'x'.repeat(512 * 1024 + 1)).catch(() => undefined);
    expect(response?.status ?? 413).toBe(413);
    expect(await received()).toEqual([]);
  });

  test('keeps the last fifty, newest first', async () => {
    for (let index = 1; index <= 52; index += 1) await post(`evt_${index}`, event('a'));
    const list = await received();
    expect(list).toHaveLength(50);
    expect(list[0]?.eventId).toBe('evt_52');
    expect(list[49]?.eventId).toBe('evt_3');
  });

  test('shows a page that runs nothing and escapes everything', async () => {
    const empty = await (await fetch(origin)).text();
    expect(empty).toContain('Nothing has arrived yet');
    await post('evt_1', event('<script>alert("1")</script>'));
    await post('evt_<b>', 'not json');
    const response = await fetch(origin);
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    const page = await response.text();
    expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;');
    expect(page).toContain('evt_&lt;b&gt;');
    expect(page).not.toMatch(/<script|<b>/);
  });

  test('escapes control sequences and masks keys, in its log and on its page', async () => {
    const { token } = newToken('slw_test_');
    const subject = `a\u001b[2J\u202e\u2028\r\n{"forged":true}${token}`;
    await fetch(receiver.url, { method: 'POST', headers: { 'webhook-id': 'evt_\u009b31m' }, body: event(subject) });
    // A key that is cut by the limit of 200 characters is masked too.
    await post('evt_2', event(`${'x'.repeat(170)}${token}`));
    for (const shown of [JSON.stringify(lines), await (await fetch(origin)).text(), JSON.stringify(await received())]) {
      expect(shown).not.toMatch(/(?!\n)[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
      expect(shown).not.toContain(token.slice(22, 28));
      expect(shown).toContain('_[secret]');
    }
    expect((await received())[1]).toMatchObject({ eventId: String.raw`evt_\x9b31m` });
  });

  test('refuses a post from a page in a browser, before it reads the body', async () => {
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'same-site' }]) {
      const response = await sendRaw(
        origin,
        `POST /hooks HTTP/1.1\r\nHost: x\r\n${Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)}Content-Length: 400000\r\n\r\n`,
      );
      expect(response).toMatch(/^HTTP\/1\.1 403 [\s\S]*cache-control: no-store/i);
    }
    expect([await received(), lines]).toEqual([[], []]);
    expect((await fetch(receiver.url, { method: 'OPTIONS', headers: { origin: 'https://evil.example' } })).status).toBe(
      403,
    );
  });

  test('refuses two Host headers', async () => {
    const answer = await sendRaw(origin, 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*must be sent once/);
  });

  test('refuses headers of more than 16 KiB', async () => {
    const request = `GET / HTTP/1.1\r\nHost: a\r\nx: ${'x'.repeat(17 * 1024)}\r\n\r\n`;
    expect(await sendRaw(origin, request)).toMatch(/^HTTP\/1\.1 431 /);
  });

  test('accepts 64 concurrent connections, and closes further connections', async () => {
    const { hostname, port } = new URL(origin);
    const sockets = Array.from({ length: 65 }, () => connect(Number(port), hostname));
    for (const socket of sockets) socket.on('error', () => socket.destroy());
    const closed = await Promise.race(
      sockets.map((socket, at) => new Promise<number>((resolve) => socket.once('close', () => resolve(at)))),
    );
    expect(sockets.filter((socket) => !socket.destroyed)).toHaveLength(64);
    expect(closed).toBeGreaterThanOrEqual(0);
    for (const socket of sockets) socket.destroy();
  });

  test('has the time limits of the other listeners', async () => {
    const servers: Server[] = [];
    const note = (message: unknown): void => void servers.push((message as { server: Server }).server); // as Node documents
    subscribe('http.server.request.start', note);
    await fetch(origin);
    unsubscribe('http.server.request.start', note);
    const limits = servers.map((one) => [one.headersTimeout, one.requestTimeout, one.keepAliveTimeout, one.timeout]);
    expect(limits).toEqual([[15_000, 15_000, 72_000, CONNECTION_TIMEOUT_MS]]);
  });

  test('closes a connection with more than 100 requests under way', async () => {
    const pipelined = sendRaw(origin, 'GET /received HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(150));
    // Node resets a connection that it closes with unread bytes.
    const answers = await pipelined.catch((error: NodeJS.ErrnoException) => error.code);
    expect(answers === 'ECONNRESET' || (answers?.match(/^HTTP/gm) ?? []).length <= 100).toBe(true);
    expect((await fetch(`${origin}/received`)).status).toBe(200);
  });

  test('names the setting when its port is taken', async () => {
    const port = Number(new URL(receiver.url).port);
    const second = startDemoReceiver({ host: '127.0.0.1', port, secrets: async () => secrets, log: () => {} });
    await expect(second).rejects.toThrow(/SLIPWAY_DEMO_RECEIVER_PORT/);
  });
});
