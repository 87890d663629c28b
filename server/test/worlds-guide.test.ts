// Runs each command of docs/build/sandbox-data.md and docs/webhooks/drill.md as written, on a real Console.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandsIn, openShell, readGuide, type Shell } from './shell-guide.fixture.ts';

const guide = readGuide('build/sandbox-data.md');
const [look, busy, same, seed, clock, newest, chosen, tickets, onServer, one, events, fault, rules, over, ...others] =
  commandsIn(guide);
const [, drills = ''] = /```sh\n([\s\S]*?)```/.exec(readGuide('webhooks/drill.md')) ?? [];

let shell: Shell;
beforeAll(async () => {
  shell = await openShell(guide);
});
afterAll(() => shell.close());

const answer = async <Body = unknown>(command = ''): Promise<Body> => JSON.parse(await shell.run(command));

test('the commands show the world, reset it with other settings, and speed it up', async () => {
  expect(others).toEqual([]);
  expect(await answer(look)).toMatchObject({ preset: 'small' });
  expect(await answer(busy)).toMatchObject({ preset: 'busy' });
  const { counts } = await answer<{ counts: object }>(look);
  expect(await answer(same)).toMatchObject({ preset: 'busy', counts });
  expect(await answer(seed)).toMatchObject({ preset: 'busy', seed: 'friday' });
  expect(await answer(clock)).toMatchObject({ clock: { speed: '60x' } });
});

test('the commands trigger an event on the newest suitable object or on a chosen one', async () => {
  expect(await answer(newest)).toMatchObject({ type: 'ticket.closed' });
  const { subject } = await shell.post<{ subject: { id: string } }>('/world/events', { type: 'ticket.created' });
  expect(await answer(chosen?.replace('tkt_...', subject.id))).toMatchObject({ type: 'ticket.closed', subject });
});

test('the commands list objects, and show one with its events', async () => {
  const listed = await answer<{ data: { id: string; serverId: string }[] }>(tickets);
  const { id = '', serverId = '' } = listed.data[0] ?? {};
  const ofServer = await answer<{ data: object[] }>(onServer?.replace('srv_...', serverId));
  expect(new Set(ofServer.data.map((object) => Reflect.get(object, 'serverId')))).toEqual(new Set([serverId]));
  expect(await answer(one?.replace('tkt_...', id))).toMatchObject({ id, path: `/v1/tickets/${id}`, resource: { id } });
  expect(await answer(events?.replace('tkt_...', id))).toMatchObject({ data: expect.any(Array) });
});

test('calls fail until their fault rule ends', async () => {
  const rule = await answer<{ id: string }>(fault);
  expect(rule).toMatchObject({ operationId: 'createTicket', share: 0.1 });
  expect(await answer(rules)).toMatchObject({ data: [rule] });
  expect(await shell.run(over?.replace('flt_...', rule.id) ?? '')).toBe('');
  expect(await answer(rules)).toMatchObject({ data: [] });
});

test('the commands start a drill, show it and list it', async () => {
  const key = { name: 'A key', preset: 'webhooks', expiresInDays: 1 };
  const keyId = (await shell.post<{ key: { id: string } }>('/keys', key)).key.id;
  const input = { url: 'http://127.0.0.1:1', keyId, eventTypes: ['ping'] };
  const endpointId = (await shell.post<{ endpoint: { id: string } }>('/endpoints', input)).endpoint.id;
  const [start, see, list] = drills.replaceAll('whe_...', endpointId).trim().split('\n');
  const started = await answer<{ id: string }>(start);
  expect(started).toMatchObject({ endpointId, status: 'running' });
  expect(await answer(see?.replace('drl_...', started.id))).toMatchObject({ id: started.id });
  expect(await answer(list)).toMatchObject({ data: [{ id: started.id }] });
});
