// Tests the forecast of a change in the terminal: a dry run prints it on stderr, and `keys forecast` prints it alone.
// Uses a real Console with a sandbox.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../server/test/harness.ts';
import { type Crane, openCrane } from './signed-out.ts';
import type { Ran, Terminal } from './terminal.ts';

let home: Crane;
let terminal: Terminal;
let keyId: string;
let endpointId: string;
let servers: string[];
const newest = { request: '', requestOnFirst: '' };

beforeAll(async () => {
  home = await openCrane();
  ({ terminal, keyId } = home);
  const line = `endpoints create --url http://127.0.0.1:1 --key-id ${keyId} --event-types ticket.created --json endpoint.id`;
  endpointId = String((await terminal.run(line)).lines()[0]?.['endpoint.id']);
  const { lines } = await terminal.run('installations list --json serverId');
  servers = lines().map(({ serverId }) => String(serverId));
  await call('GET', '/v1/servers');
  await ticketOn(0, 'The crane does not turn');
  newest.requestOnFirst = await ticketOn(0, 'The crane creaks');
  newest.request = await ticketOn(1, 'The gate is stuck');
  await until(async () => (await terminal.run('requests list --json id')).lines().length === 4);
});
afterAll(() => home.close());

async function call(method: string, path: string, body?: object): Promise<string> {
  const calls = `/api/sandbox${home.base.replace('/api', '')}/apps/${home.appId}/calls`;
  const input = { keyId, method, path, ...(body && { body: JSON.stringify(body) }) };
  const answer = await home.owner.visitor.call<{ requestId: string; status: number }>('POST', calls, input);
  expect(answer.body.status).toBeLessThan(300);
  return answer.body.requestId;
}

const ticketOn = (at: number, subject: string): Promise<string> =>
  call('POST', `/v1/servers/${servers[at]}/tickets`, { subject, body: 'From a test.' });

const dryRun = (line: string | string[]): Promise<Ran> =>
  terminal.run([...(typeof line === 'string' ? line.split(' ') : line), '--dry-run']);

/** Returns the text on stderr after the target, without times and without the identifiers of deliveries. */
async function forecastOf(line: string | string[]): Promise<string> {
  const { code, out, err } = await dryRun(line);
  expect([line, code, out]).toEqual([line, 0, expect.stringMatching(/^curl -X /)]);
  return err
    .replace(/^sandbox \/ Harbour Tools \/ Crane \(app_\w+\)\n/, '')
    .replaceAll(/Since \d{4}-\S+Z,/g, 'Since TIME,')
    .replaceAll(/dlv_\w{26}/g, 'DELIVERY');
}

test('a dry run of a revocation prints the call and its forecast, and revokes nothing', async () => {
  const { out } = await dryRun(`keys revoke ${keyId}`);
  expect(out).toMatch(new RegExp(`^curl -X POST '.*/keys/${keyId}/revoke'`));
  expect(await forecastOf(`keys revoke ${keyId}`)).toBe(
    `Since TIME, the change would have refused 4 requests of 1 key (newest ${newest.request}).\nSince TIME, the change would have skipped 3 deliveries (newest DELIVERY).\n`,
  );
  expect((await terminal.run('keys list --json id,state')).lines()).toEqual([{ id: keyId, state: 'active' }]);
});

test('a dry run of a rotation forecasts the scopes that the successor loses, or the revocation without an overlap', async () => {
  const rotate = `keys rotate ${keyId} --expires-in-days 30 --overlap-hours`;
  expect(await forecastOf(`${rotate} 24`)).toBe('');
  expect(await forecastOf(`${rotate} 24 --scopes servers:read,events:read`)).toBe(
    `Since TIME, the change would have refused 3 requests of 1 key (newest ${newest.request}).\n`,
  );
  expect(await forecastOf(`${rotate} 0`)).toContain('refused 4 requests of 1 key ');
});

test('a dry run of a paused installation or a revoked scope counts the records of its server only', async () => {
  expect(await forecastOf(`installations set ${servers[0]} --state paused`)).toBe(
    `Since TIME, the change would have refused 2 requests of 1 key (newest ${newest.requestOnFirst}).\nSince TIME, the change would have held 2 deliveries (newest DELIVERY).\n1 list would have left out a server.\n`,
  );
  expect(await forecastOf(`installations set-scope ${servers[1]} tickets:create --state revoked`)).toBe(
    `Since TIME, the change would have refused 1 request of 1 key (newest ${newest.request}).\nSince TIME, the change would have skipped 1 delivery (newest DELIVERY).\n`,
  );
  expect(await forecastOf(`installations set ${servers[0]} --state authorised`)).toBe('');
});

test('a dry run of a pause of every server forecasts the servers that would change', async () => {
  const setAll = 'installations set-all --state';
  expect(await forecastOf(`${setAll} paused --scopes tickets:create`)).toBe(
    `Since TIME, the change would have refused 3 requests of 1 key (newest ${newest.request}).\nSince TIME, the change would have held 3 deliveries (newest DELIVERY).\n`,
  );
  expect(await forecastOf(`${setAll} authorised`)).toBe('');
  expect(await forecastOf(`${setAll} revoked --from paused`)).toBe('No forecast: no server would change.\n');
  expect(await forecastOf(`${setAll} revoked --from authorised --scopes servers:read,tickets:create`)).toBe(
    'No forecast: --from is given with several scopes.\n',
  );
});

test('a dry run of a disabled endpoint or a narrower filter counts its deliveries, and other settings have no forecast', async () => {
  const update = ['endpoints', 'update', endpointId];
  expect(await forecastOf([...update, '--state', 'disabled'])).toBe(
    'Since TIME, the change would have skipped 3 deliveries (newest DELIVERY).\n',
  );
  const condition = '[{"pointer":"/data/subject","prefix":"The crane"}]';
  expect(await forecastOf([...update, '--conditions', condition])).toBe(
    'Since TIME, the change would have skipped 1 delivery (newest DELIVERY).\n',
  );
  expect(await forecastOf([...update, '--description', 'Mine'])).toBe('');
});

test('keys forecast prints text on a terminal and JSON elsewhere, for the options of a narrower key', async () => {
  const forecast = `keys forecast ${keyId}`;
  const shown = await terminal.run(forecast, { isTerminal: true });
  expect(shown).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Since .*, the change would have refused 4 requests of 1 key /),
    err: '',
  });
  expect((await terminal.run(`${forecast} --scopes tickets:create`)).lines()).toMatchObject([
    { progress: 1, requests: { refused: 1, keys: [{ keyId, refused: 1 }] }, deliveries: { skipped: 3, held: 0 } },
  ]);
  // Members made the calls, whose addresses are not checked.
  const later = await terminal.run(
    `${forecast} --allowed-cidrs 192.0.2.0/24 --expires-in-days 1 --json requests.refused`,
  );
  expect(later.lines()).toEqual([{ 'requests.refused': 0 }]);
});

test('a dry run with a read-only token prints the call and the reason why it has no forecast', async () => {
  terminal.env.SLIPWAY_TOKEN = await home.newToken('read');
  expect(await forecastOf(`keys revoke ${keyId} --app ${home.appId}`)).toMatch(
    /^No forecast: .*This access token may only read\./,
  );
  delete terminal.env.SLIPWAY_TOKEN;
});

test('the forecast for a key without requests counts nothing', async () => {
  const made = await terminal.run('keys create --name Idle --preset read-only --expires-in-days 1 --json key.id');
  expect(await forecastOf(`keys revoke ${made.lines()[0]?.['key.id']}`)).toBe(
    'Since TIME, the change would have refused 0 requests.\nSince TIME, the change would have skipped 0 deliveries.\n',
  );
});
