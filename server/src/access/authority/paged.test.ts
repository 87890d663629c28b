import { expect, test } from 'vitest';
import { toId } from '../../kit/crypto/ids.ts';
import { secret } from '../../kit/crypto/secret.ts';
import { cursorsOf, listQuery } from '../../kit/http/page.ts';
import { strictObject, Type } from '../../kit/http/schema.ts';
import { createListContext } from './paged.ts';

const key = secret('a key');
const uuid = (at: number): string => `01890000-0000-7000-8000-00000000000${at}`;
const [organisationId, appId, endpointId] = [uuid(1), uuid(2), uuid(3)];

function request(query: Record<string, unknown>) {
  const ids = { organisationId, appId, endpointId };
  const params = {
    organisationId: toId('org', organisationId),
    appId: toId('app', appId),
    endpointId: toId('whe', endpointId),
  };
  return { operation: { id: 'listDrills' }, inputs: { params, query, body: undefined, ids } };
}

function listDrills(query: Record<string, unknown>, rows: readonly string[], reached?: string) {
  const calls: unknown[] = [];
  const reply = createListContext(request(query), appId, key).paged({
    prefix: 'drl',
    async load(after, limit) {
      calls.push([after, limit]);
      const read = rows.slice(0, limit).map((id) => ({ id }));
      return reached === undefined ? read : { rows: read, reached };
    },
    toItem: ({ id }) => toId('drl', id),
    idOf: ({ id }) => id,
  });
  return reply.then(({ body }) => ({ body, calls }));
}

test('a list reads one row more than its limit and continues after its last row', async () => {
  const first = await listDrills({ limit: 2 }, [uuid(9), uuid(8), uuid(7)]);
  expect(first.calls).toEqual([[undefined, 3]]);
  expect(first.body).toMatchObject({ data: [toId('drl', uuid(9)), toId('drl', uuid(8))] });
  const { nextCursor: cursor } = first.body as { nextCursor: string };
  const second = await listDrills({ cursor }, [uuid(7)]);
  expect(second.calls).toEqual([[uuid(8), 26]]);
  expect(second.body).toEqual({ data: [toId('drl', uuid(7))], nextCursor: null });
});

test('a page that examined its limit continues after the last examined object, unless it is full', async () => {
  const { body } = await listDrills({}, [], uuid(7));
  const { data, nextCursor: cursor } = body as { data: unknown[]; nextCursor: string };
  expect(data).toEqual([]);
  expect((await listDrills({ cursor }, [])).calls).toEqual([[uuid(7), 26]]);
  const full = await listDrills({ limit: 1 }, [uuid(9), uuid(8)], uuid(7));
  const { nextCursor } = full.body as { nextCursor: string };
  expect((await listDrills({ cursor: nextCursor }, [])).calls).toEqual([[uuid(9), 26]]);
});

// During an upgrade a client can continue at a process of the other release.
test('a list accepts a cursor of the last release, which is bound to the parent in the path', async () => {
  const cursor = cursorsOf(appId, 'listDrills', { endpointId }, key).seal(toId('drl', uuid(8)));
  const { calls } = await listDrills({ cursor }, []);
  expect(calls).toEqual([[uuid(8), 26]]);
  const ofOther = cursorsOf(appId, 'listDrills', { endpointId: uuid(4) }, key).seal(toId('drl', uuid(8)));
  await expect(listDrills({ cursor: ofOther }, [])).rejects.toThrow();
});

test('a cursor is valid whether or not a request states the default of a parameter', async () => {
  const query = strictObject({ ...listQuery, state: Type.Optional(Type.String({ default: 'open' })) });
  const cursorsWith = (filter: object) =>
    createListContext({ ...request({}), operation: { id: 'listDrills', query } }, appId, key).cursors(filter);
  // The binding of the last release, in which the parameter is omitted.
  expect(cursorsWith({}).open(cursorsOf(appId, 'listDrills', {}, key).seal('a'))).toBe('a');
  const [omitted, stated] = [cursorsWith({}), cursorsWith({ state: 'open' })];
  expect([omitted.open(stated.seal('a')), stated.open(omitted.seal('b'))]).toEqual(['a', 'b']);
  expect(() => cursorsWith({ state: 'closed' }).open(omitted.seal('c'))).toThrow();
});
