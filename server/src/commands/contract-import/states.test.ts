// The states that operations and events lead to: deletions that keep objects, actions and their reversals, and events that
// no operation emits.
import { describe, expect, test } from 'vitest';
import { importDocument } from './index.ts';

const room = { $ref: '#/components/schemas/Room' };
const content = (schema: object) => ({ content: { 'application/json': { schema } } });
const answer = { 200: { description: 'OK', ...content(room) } };
const nothing = { 204: { description: 'OK' } };
const parameters = [{ name: 'roomId', in: 'path', required: true, schema: { type: 'integer' } }];
const webhook = { post: { requestBody: content(room) } };

/** Imports a document about rooms, with these states, operations on the path of one room, events and body of a creation. */
function importRooms(
  states: readonly string[],
  paths: Record<string, object>,
  webhooks: readonly string[] = [],
  body: object = room,
) {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Rooms', version: '1' },
    paths: {
      '/rooms': {
        post: {
          requestBody: { required: true, ...content(body) },
          responses: { 201: { description: 'OK', ...content(room) } },
        },
      },
      '/rooms/{roomId}': { parameters, get: { responses: answer } },
      ...Object.fromEntries(
        Object.entries(paths).map(([path, methods]) => [`/rooms/{roomId}${path}`, { parameters, ...methods }]),
      ),
    },
    webhooks: Object.fromEntries(webhooks.map((name) => [name, webhook])),
    components: {
      schemas: {
        Room: {
          type: 'object',
          required: ['id', 'status'],
          properties: {
            id: { type: 'integer' },
            status: states.length === 0 ? { type: 'string' } : { type: 'string', enum: states },
          },
        },
      },
    },
  };
  const { resources, findings } = importDocument('rooms.json', JSON.stringify(document));
  const [resource] = resources;
  const rows = Object.values(resource?.operations ?? {}).map(
    ({ effect, method, path, becomes }) =>
      `${effect} ${method} ${path.replace('/rooms/{roomId}', '')} ${becomes ?? ''}`,
  );
  const events = Object.entries(resource?.events ?? {}).map(([type, { meaning: _, ...event }]) => [type, event]);
  const reasons = findings.filter(({ reason }) => !/without transitions|name no scopes/.test(reason));
  return { rows, events: Object.fromEntries(events), reasons: reasons.map((one) => `${one.pointer} ${one.reason}`) };
}

describe('a deletion', () => {
  test.each([
    ['whose response has the object', { '': { get: { responses: answer }, delete: { responses: answer } } }],
    [
      'of an object that can be restored',
      {
        '': { get: { responses: answer }, delete: { responses: nothing } },
        '/restore': { post: { responses: nothing } },
      },
    ],
  ])('%s leads to the state that it is named after', (_, paths) => {
    const { rows, events, reasons } = importRooms(['open', 'deleted'], paths, ['room.deleted']);
    expect(rows).toContain('action DELETE  deleted');
    expect(events).toEqual({ 'room.deleted': { entering: 'deleted' } });
    expect(reasons).toContain(
      '/paths/~1rooms~1{roomId}/delete leads to the state deleted. The contract declares an action, which keeps the object',
    );
  });

  test('a deletion without an object in its response deletes the object, and emits the event of the deletion', () => {
    const paths = { '': { get: { responses: answer }, delete: { responses: nothing } } };
    const { rows, events } = importRooms(['open', 'deleted'], paths, ['room.deleted']);
    expect(rows).toContain('delete DELETE  ');
    expect(events).toEqual({ 'room.deleted': { deletes: true } });
  });

  test('a restoration of objects without a state such as deleted is reported', () => {
    const paths = { '': { delete: { responses: nothing } }, '/restore': { post: { responses: nothing } } };
    expect(importRooms([], paths).reasons).toContain(
      '/paths/~1rooms~1{roomId}~1restore/post restores a deleted object. The sandbox does not keep deleted objects, so it answers 404',
    );
  });
});

describe('an action', () => {
  test('an action leads to the state that it is named after, unless its method is DELETE', () => {
    const paths = { '/lock': { post: { responses: nothing }, delete: { responses: nothing } } };
    const { rows, reasons } = importRooms(['open', 'locked'], paths);
    expect(rows.slice(2)).toEqual(['action DELETE /lock ', 'action POST /lock locked']);
    expect(reasons).toEqual([
      '/paths/~1rooms~1{roomId}~1lock/delete is an action whose next state the document does not name. The contract keeps the state. To change it, set `becomes` in the module of Room',
    ]);
  });

  test('an action that returns the object and names no state is reported', () => {
    const { reasons } = importRooms(['open', 'locked'], { '/paint': { post: { responses: answer } } });
    expect(reasons).toEqual([
      '/paths/~1rooms~1{roomId}~1paint/post is an action whose next state the document does not name. The contract keeps the state. To change it, set `becomes` in the module of Room',
    ]);
  });

  test('an action that only reads leads to no state', () => {
    const { rows } = importRooms(['open', 'locked'], { '/lock': { get: { responses: answer } } });
    expect(rows.at(-1)).toBe('action GET /lock ');
  });
});

test('an event that no operation emits is reported', () => {
  const { events, reasons } = importRooms([], {}, ['room.created', 'room.painted', 'room.updated']);
  expect(events).toEqual({ 'room.created': { creates: true }, 'room.painted': {}, 'room.updated': { changes: true } });
  expect(reasons).toEqual([
    '/webhooks/room.painted/post names no change of Room that the contract knows. Only a trigger emits the event. To emit it with a change, set `creates`, `changes`, `deletes` or `entering` in the module of Room',
    '/webhooks/room.updated/post names a change that no operation of the contract makes. Only a trigger emits the event',
  ]);
});

describe('an event of a state', () => {
  const unmade =
    '/webhooks/room.locked/post names a change that no operation of the contract makes. Only a trigger emits the event';
  const readOnly = { type: 'object', properties: { status: { type: 'string', readOnly: true } } };

  test.each([
    ['no operation changes objects', {}, true],
    ['no action leads to it', { '/paint': { post: { responses: nothing } } }, true],
    ['only a GET has its name', { '/lock': { get: { responses: answer } } }, true],
    ['a change cannot contain it', { '': { patch: { requestBody: content(readOnly), responses: answer } } }, true],
    ['an action leads to it', { '/lock': { post: { responses: nothing } } }, false],
    ['a change can contain it', { '': { patch: { requestBody: content(room), responses: answer } } }, false],
  ])('if %s, is reported: %j %s', (_, paths: Record<string, object>, isReported) => {
    const { events, reasons } = importRooms(['open', 'locked'], paths, ['room.locked'], readOnly);
    expect(events).toEqual({ 'room.locked': { entering: 'locked' } });
    expect(reasons.includes(unmade)).toBe(isReported);
  });

  test('is not reported if it is the first state of new objects, or if a creation can contain it', () => {
    expect(importRooms(['locked', 'open'], {}, ['room.locked'], readOnly).reasons).not.toContain(unmade);
    expect(importRooms(['open', 'locked'], {}, ['room.locked']).reasons).not.toContain(unmade);
  });
});
