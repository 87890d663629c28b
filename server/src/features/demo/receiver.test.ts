import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nowMs } from '../../kit/clock.ts';
import { createSigningSecret, sign } from '../../kit/standard-webhooks.ts';
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

  test('names the setting when its port is taken', async () => {
    const port = Number(new URL(receiver.url).port);
    const second = startDemoReceiver({ host: '127.0.0.1', port, secrets: async () => secrets, log: () => {} });
    await expect(second).rejects.toThrow(/SLIPWAY_DEMO_RECEIVER_PORT/);
  });
});
