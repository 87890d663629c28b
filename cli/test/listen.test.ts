// Tests `slipway listen`: a local receiver gets each signed delivery once, across lost connections, and its response is
// recorded. After a revocation it gets nothing.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createManagement } from '@slipway/sdk/management';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromId } from '../../server/src/kit/crypto/ids.ts';
import { LightAbortController } from '../../server/src/kit/outbound/light-abort.ts';
import { createOutboundClient } from '../../server/src/kit/outbound/outbound.ts';
import type { InFlightAttempt } from '../../server/src/webhooks/dispatch/attempt/in-flight-attempts.ts';
import { type Dispatcher, startDispatcher } from '../../server/src/webhooks/dispatch/index.ts';
import { createRelays } from '../../server/src/webhooks/dispatch/relays/relays.ts';
import { validateListener } from '../../server/src/webhooks/webhooks/listener.ts';
import { until } from '../../server/test/harness.ts';
import { openLosingProxy } from './losing-proxy.ts';
import { openConsole, type SignedOut } from './signed-out.ts';
import type { Ran, Terminal } from './terminal.ts';

interface ReceivedRequest {
  headers: Record<string, string>;
  body: string;
}

let home: SignedOut;
let terminal: Terminal;
let dispatcher: Dispatcher;
let receiver: Server;
let forwardTo: string;
let keyId: string;
const received: ReceivedRequest[] = [];
let answerWith = 200;

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port; // a TCP server has a port

beforeAll(async () => {
  home = await openConsole();
  ({ terminal } = home);
  const { plane, dispatch } = home.site.plane;
  const { masterKeys } = plane.secrets;
  const timing = { pollMs: 50, recoverMs: 100, releaseMs: 200, healthMs: 50 };
  const log = (): void => {};
  dispatcher = await startDispatcher({
    db: dispatch,
    outbound: createOutboundClient({ allowHosts: [] }),
    masterKeys,
    environment: 'sandbox',
    log,
    timing,
  });
  receiver = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers as Record<string, string>, body }); // no header of a delivery is repeated
    response.writeHead(answerWith, { 'x-receiver': 'mine' }).end(`got ${request.headers['webhook-id']}`);
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  forwardTo = `http://127.0.0.1:${portOf(receiver)}/hook`;
  await terminal.run('login --with-token', { stdin: home.token });
  await terminal.run('apps create --name Crane');
  await terminal.run('use');
  await terminal.run('world clock --speed paused');
  const created = await terminal.run('keys create --name CI --preset webhooks --expires-in-days 30');
  keyId = (created.lines()[0] as { key: { id: string } }).key.id;
});
afterAll(async () => {
  await dispatcher.stop();
  receiver.closeAllConnections();
  receiver.close();
  await home.close();
});

const DROPS = 3;

interface RunningListener {
  ending: AbortController;
  ran: Promise<Ran>;
  /** Returns the output so far. */
  out(): string;
  err(): string;
}

function listen(more = ''): RunningListener {
  const ending = new AbortController();
  let out = '';
  let err = '';
  const ran = terminal.run(`listen --forward-to ${forwardTo} --events ticket.created --name t ${more}`.trim(), {
    interrupted: ending.signal,
    onOut(text) {
      out += text;
    },
    onErr(text) {
      err += text;
    },
  });
  return { ending, ran, out: () => out, err: () => err };
}
const trigger = async (times: number): Promise<void> => {
  await terminal.run(`trigger ticket.created --repeat ${times} --json id`);
};
const deliveries = async (): Promise<Record<string, unknown>[]> => (await terminal.run('deliveries list')).lines();

test('listen forwards signed deliveries and reports the receiver’s response as that of the attempt', async () => {
  const { ending, ran, out } = listen('--print-secret --show-response');
  const secret = await until(() => /^whsec_\S+/.exec(out())?.[0]);
  await trigger(2);
  await until(() => received.length >= 2);
  const webhook = new Webhook(secret);
  for (const { headers, body } of received)
    expect(webhook.verify(body, headers)).toMatchObject({ type: 'ticket.created' });
  await until(async () => (await deliveries()).every(({ status }) => status === 'succeeded'));
  const [one] = await deliveries();
  const shown = (await terminal.run(`deliveries show ${one?.id}`)).lines()[0] as { attempts: object[] };
  expect(shown.attempts).toMatchObject([
    {
      outcome: 'response',
      status: 200,
      responseBody: expect.stringMatching(/^got evt_/),
      responseHeaders: { 'x-receiver': 'mine' },
    },
  ]);
  ending.abort();
  const { code, err, lines } = await ran;
  expect(code).toBe(130);
  expect(err).toMatch(/\/ Crane \(app_\w+\)\n[\s\S]*Listening as listener:t-[\s\S]*connecting\.[\s\S]*connected\.\n/);
  expect(JSON.parse(out().split('\n')[1] ?? '')).toMatchObject({
    type: 'ticket.created',
    outcome: '200',
    response: expect.any(String),
  });
  expect(lines).toThrow(); // the secret is printed before the lines of JSON
});

test('listen loses and repeats no delivery across lost connections, and prints each change of its state', async () => {
  const proxy = await openLosingProxy(home.url);
  terminal.env.SLIPWAY_TOKEN = home.token;
  terminal.env.SLIPWAY_CONSOLE_URL = proxy.url;
  received.length = 0;
  const { ending, ran, err: said } = listen('--app Crane');
  delete terminal.env.SLIPWAY_TOKEN;
  delete terminal.env.SLIPWAY_CONSOLE_URL;
  await until(() => said().includes('connected.'));
  for (let drop = 0; drop < DROPS; drop += 1) {
    const lost = proxy.loseNext();
    await trigger(1);
    await lost;
  }
  await until(
    async () =>
      (await deliveries()).length >= DROPS + 2 && (await deliveries()).every(({ status }) => status === 'succeeded'),
    25_000,
  );
  ending.abort();
  const { err } = await ran;
  proxy.close();
  const ids = received.map(({ headers }) => headers['webhook-id']);
  expect([ids.length, new Set(ids).size]).toEqual([DROPS, DROPS]);
  expect(err).toMatch(/Trying again\.[\s\S]*connected again after [\d.]+ s\./);
});

test('listen reports a failed delivery, which is retried, and forwards nothing after its key is revoked', async () => {
  received.length = 0;
  answerWith = 500;
  const { ending, ran, out } = listen();
  await trigger(1);
  await until(() => out().includes('"outcome":"500"'));
  const [one] = await deliveries();
  await until(async () => (await deliveries())[0]?.lastStatus === 500);
  expect(one).toMatchObject({ status: 'pending' });
  answerWith = 200;
  await terminal.run(`keys revoke ${keyId} --yes`);
  await terminal.run('keys create --name Next --preset webhooks --expires-in-days 30');
  const before = received.length;
  await trigger(3);
  await until(async () =>
    (await deliveries()).slice(0, 4).every(({ status }) => status === 'skipped' || status === 'cancelled'),
  );
  expect(received.length).toBe(before);
  ending.abort();
  await ran;
  // The next start chooses an active key.
  const again = listen();
  await until(async () => (await terminal.run('endpoints list --json keyState')).out.includes('active'));
  await trigger(1);
  await until(() => received.length > before);
  again.ending.abort();
  await again.ran;
});

test('no listener takes a relay that was cancelled or claimed before an access change, and a relay times out', async () => {
  const { plane, dispatch, database } = home.site.plane;
  const endpointId = String((await terminal.run('endpoints list --json id')).lines()[0]?.id);
  const appId = String((await terminal.run('status --json appId')).lines()[0]?.appId);
  const at = { organisationId: home.id, appId, endpointId };
  const api = createManagement({ baseUrl: home.url, token: home.token });
  const take = async (): Promise<number> =>
    (await api.exchangeRelays({ ...at, body: { answers: [], inFlightIds: [], limit: 6 } })).data.length;
  const rows = async () => (await database.superuser.query('select relay_id from relays')).rows;
  const { rows: epochs } = await database.superuser.query<{ epoch: string }>(
    'select max(epoch) as epoch from stop_epochs',
  );
  const latest = Number(epochs[0]?.epoch);
  const relays = createRelays(dispatch, plane.secrets.masterKeys);
  function post(epoch: number, permit = true) {
    const stopper = new LightAbortController();
    const claimToken = { appId: fromId('app', appId), endpointId: fromId('whe', endpointId), epoch };
    const attempt = { claimToken, stopper } as unknown as InFlightAttempt; // all fields that the relay reads
    const request = {
      headers: { 'X-A': 'b' },
      body: Buffer.from('{}'),
      connectTimeoutMs: 250,
      totalTimeoutMs: 500,
      preSendCheck: () => permit,
    };
    return { stopper, result: relays.post(request, attempt) };
  }
  expect(await post(latest, false).result).toMatchObject({ failure: 'aborted' });
  const stale = post(latest - 1);
  await until(async () => (await rows()).length === 1);
  expect(await take()).toBe(0);
  expect(await stale.result).toMatchObject({ failure: 'connect', detail: expect.stringContaining('slipway listen') });
  const stopped = post(latest);
  await until(async () => (await rows()).length === 1);
  stopped.stopper.stop();
  expect(await stopped.result).toMatchObject({ failure: 'aborted' });
  expect([await take(), await rows()]).toEqual([0, []]);
  const unanswered = post(latest);
  await until(async () => (await take()) === 1);
  expect(await unanswered.result).toMatchObject({ failure: 'timeout' });
});

test('a listener endpoint exists only in the sandbox and has a plain name', () => {
  expect(validateListener('listener:imke-1', 'sandbox')).toBeUndefined();
  expect(validateListener('listener:imke-1', 'production')).toContain('https');
  for (const name of ['', 'A', 'a/b', '//evil.example', 'a\n'])
    expect(validateListener(`listener:${name}`, 'sandbox')).toBeDefined();
});
