// Runs each command of docs/build/inspector.md as written, on a real Console.
import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandsIn, openShell, readGuide, type Shell } from './shell-guide.fixture.ts';

const guide = readGuide('build/inspector.md');
const commands = commandsIn(guide);

let shell: Shell;
let requestId: string;
let eventId: string;
let endpointId: string;

beforeAll(async () => {
  shell = await openShell(guide);
  const key = { name: 'A key', scopes: ['servers:read'], expiresInDays: 1 };
  const keyId = (await shell.post<{ key: { id: string } }>('/keys', key)).key.id;
  const call = { keyId, method: 'GET', path: '/v1/servers?limit=1' };
  requestId = (await shell.post<{ requestId: string }>('/calls', call)).requestId;
  eventId = (await shell.post<{ id: string }>('/world/events', { type: 'ping' })).id;
  const events = { name: 'Another key', scopes: ['events:read'], expiresInDays: 1 };
  const eventKey = (await shell.post<{ key: { id: string } }>('/keys', events)).key.id;
  const endpoint = { url: 'https://hooks.example.org/slipway', keyId: eventKey, eventTypes: ['ticket.closed'] };
  endpointId = (await shell.post<{ endpoint: { id: string } }>('/endpoints', endpoint)).endpoint.id;
});
afterAll(() => shell.close());

/** Returns the command with identifiers in place of those that the guide leaves open. */
const complete = (command: string): string =>
  command
    .replace('req_...', requestId)
    .replace('evt_...', eventId)
    .replace('whe_...', endpointId)
    .replace(/(srv|tkt)_\.\.\./, '$1_01j9z3v8k6e5t8m2n4p6q8r0s4');
const script = (command: string): string => shell.script(complete(command));
const run = (command: string): Promise<string> => shell.run(complete(command));

test('the tables of the guide have 24 commands', () => {
  expect(commands).toHaveLength(24);
});

const LISTS = commands.filter(
  (command) => !/tail|snippets|replay|traces|values|\.csv|\.ndjson|req_|evt_/.test(command),
);
test.each(LISTS)('the command returns a list: %s', async (command) => {
  expect(JSON.parse(await run(command))).toMatchObject({ data: expect.any(Array) });
});

test('the values that occur are lists', async () => {
  const [values = ''] = commands.filter((command) => command.includes('request-values'));
  expect(JSON.parse(await run(values))).toMatchObject({ statuses: [200], methods: ['GET'] });
});

test('the commands for one request return its details', async () => {
  const [one = '', trace = '', snippets = '', replay = '', reveal = ''] = commands.filter((command) =>
    command.includes('req_...'),
  );
  expect(JSON.parse(await run(one))).toMatchObject({ id: requestId, operationId: 'listServers', status: 200 });
  expect(JSON.parse(await run(reveal))).toMatchObject({ status: { state: 'not_kept', reason: 'off' } });
  expect(JSON.parse(await run(trace))).toMatchObject({ requestId, events: [] });
  expect(JSON.parse(await run(snippets))).toMatchObject({ curl: expect.stringContaining('/v1/servers') });
  expect(JSON.parse(await run(replay))).toMatchObject({
    status: 200,
    requestId: expect.not.stringContaining(requestId),
  });
});

test('the commands for one event return its payload, and send it to an endpoint', async () => {
  const [trace = '', send = ''] = commands.filter((command) => command.includes('evt_...'));
  expect(JSON.parse(await run(trace))).toMatchObject({
    events: [{ id: eventId, type: 'ping' }],
    payloads: [{ schemaVersion: 1, body: expect.stringContaining(eventId) }],
  });
  expect(JSON.parse(await run(send))).toMatchObject({ eventId, endpointId, trigger: 'manual' });
});

test('both exports return the requests of the filter', async () => {
  const [lines = '', table = ''] = commands.filter((command) => /\.csv|\.ndjson/.test(command));
  expect(await run(lines)).toBe('');
  expect(JSON.parse((await run(lines.replace('4', '2'))).split('\n')[0] ?? '')).toMatchObject({ status: 200 });
  expect(await run(table)).toMatch(/^"id","at",/);
});

test('the tail command begins immediately', async () => {
  const tail = commands.find((command) => command.includes('tail')) ?? '';
  const child = spawn('bash', ['-c', script(`exec 2>&1; ${tail}`)], { detached: true });
  try {
    const text = await new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()));
      child.once('exit', (code) => reject(new Error(`The command ended with ${code} and printed nothing.`)));
    });
    expect(text).toMatch(/^(: |id: |event: |retry: )/);
  } finally {
    // Kill the process group, because curl is a child of the shell.
    if (child.pid !== undefined) process.kill(-child.pid);
  }
});
