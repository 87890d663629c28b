// Tests reads that the Console answers in several parts: a forecast and the activity of a key show their progress on a
// terminal, continue from the cursor, and name what the records do not answer.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newTerminal, type Terminal } from './terminal.ts';

const KEY = 'key_01j9z3v8k6e5t8m2n4p6q8r0s7';
const SINCE = '2026-10-03T10:00:00.000Z';
/** The environment of the forecast keeps requests for fewer days than deliveries. */
const REQUESTS_SINCE = '2026-10-26T10:00:00.000Z';
const APP = '/api/sandbox/organisations/org_1/apps/app_1';
const caller = {
  email: 'ada@example.org',
  name: 'Ada',
  accessToken: { scope: 'write', expiresAt: SINCE },
  organisations: [{ id: 'org_1', name: 'Harbour Tools', role: 'owner' }],
};
const app = { id: 'app_1', name: 'Crane', state: 'active', environment: 'sandbox', createdAt: SINCE };

const forecast = (examined: number) => ({
  ...{ since: SINCE, until: SINCE, oldestRecordAt: SINCE, lostRecords: 7 },
  requests: {
    ...{ since: REQUESTS_SINCE, examined, refused: 2, shortened: 0, unknown: 3, newestId: null },
    ...{ keys: [], isKeyListComplete: true },
  },
  deliveries: { since: SINCE, examined: 0, skipped: 0, held: 0, unknown: 1, newestId: null },
});
const activity = {
  ...{ keyId: KEY, since: SINCE, until: SINCE, oldestRecordAt: SINCE, lostRecords: 7 },
  ...{ requests: 2, writesWithoutEvent: 1 },
  entries: [{ kind: 'operation', name: 'listServers', count: 2, succeeded: 2, firstAt: SINCE, lastAt: SINCE }],
};
const next = { progress: 0.456, nextCursor: 'AAAA' };
const last = { progress: 1, nextCursor: null };

let server: Server;
let terminal: Terminal;
/** The cursor of each part that the CLI asked for. */
const cursors: unknown[] = [];

/** Returns the answer of the Console. The first part of a read ends with a cursor. */
function answer(url: URL, body: string): unknown {
  if (url.pathname === '/api/caller') return caller;
  if (url.pathname === APP) return app;
  const isForecast = url.pathname === `${APP}/access-forecasts`;
  const cursor = isForecast ? JSON.parse(body).cursor : (url.searchParams.get('cursor') ?? undefined);
  cursors.push(cursor);
  return { ...(isForecast ? forecast(cursors.length) : activity), ...(cursor === undefined ? next : last) };
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const json = JSON.stringify(answer(new URL(request.url ?? '', 'http://console.test'), body));
    response.writeHead(200, { 'content-type': 'application/json' }).end(json);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  terminal = newTerminal();
  terminal.env.SLIPWAY_CONSOLE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has a port
  terminal.env.SLIPWAY_TOKEN = 'slp_1';
});
beforeEach(() => {
  cursors.length = 0;
});
afterAll(() => {
  terminal.remove();
  server.close();
  server.closeAllConnections();
});

test('a forecast in several parts shows its progress on a terminal, and the gaps of the records', async () => {
  const { code, out, err } = await terminal.run(`keys forecast ${KEY} --app app_1`, { isTerminal: true });
  expect([code, cursors]).toEqual([0, [undefined, 'AAAA']]);
  expect(err).toContain('Examined 45 % of the records.\n');
  expect(out.split('\n')).toEqual([
    `Since ${REQUESTS_SINCE}, the change would have refused 2 requests.`,
    `Since ${SINCE}, the change would have skipped 0 deliveries.`,
    'For 1 delivery, the event is no longer stored.',
    'The records do not answer the question for 3 requests.',
    'The records of 7 requests of the period were lost.',
    '',
  ]);
});

test('the activity of a key in several parts shows its progress on a terminal, and the gaps of the records', async () => {
  const { code, out, err } = await terminal.run(`keys activity ${KEY} --app app_1`, { isTerminal: true });
  expect([code, cursors]).toEqual([0, [undefined, 'AAAA']]);
  expect(out).toMatch(/operation +listServers +4 +4 /);
  expect(err.split('\n').slice(-6)).toEqual([
    'Read 45 % of the records.',
    `4 requests since ${SINCE}. The oldest record is of ${SINCE}.`,
    'Records do not state which objects a read returned.',
    'The records of 7 requests of the app were lost.',
    'For 2 changes, no event is stored.',
    '',
  ]);
});

test('a forecast and an activity print no progress into a pipe', async () => {
  for (const line of [`keys forecast ${KEY}`, `keys activity ${KEY}`]) {
    const { code, err, lines } = await terminal.run(`${line} --app app_1`);
    expect([line, code, lines()[0]?.progress, err.includes('%')]).toEqual([line, 0, 1, false]);
  }
});
