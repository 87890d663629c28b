// Revocation is linearizable: a request that begins after a change of access was answered sees the change, on every
// node, for every kind of change. Two deliberately wrong authorities show that the check can fail.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Authority, createAuthority, type Plane } from '../src/access/authority/index.ts';
import type { Database } from '../src/kit/db/db.ts';
import type { Sql } from '../src/kit/db/sql.ts';
import { type Change, changesOf, measureChange, type Subject, type TestEnvironment } from './access-changes.ts';
import { type Sandbox, startSandbox, type TestApp } from './app.ts';
import { until } from './harness.ts';
import {
  type AccessHistory,
  type AccessProbeResult,
  checkHistory,
  type LinearizabilityCounts,
  summarise,
  violationsOf,
} from './linearizable.ts';
import { type ApiNode, startNode } from './node.ts';
import { judgeByEventsReadOnly } from './publication-event.ts';
import { WRONG_AUTHORITIES } from './wrong-authorities.ts';

let sandbox: Sandbox;
let app: TestApp;
const nodes: ApiNode[] = [];

function start(exchange?: (plane: Plane) => Partial<Plane>): ApiNode {
  const node = startNode(sandbox, {}, exchange);
  nodes.push(node);
  return node;
}

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
});
afterAll(async () => {
  for (const node of nodes) await node.close();
  await sandbox.close();
});

const NODES = 3;
const LOAD = { nodes: NODES, readers: 2 * NODES, questions: 30 };

/** Watches changes of every kind on a separate app through three nodes, until there are enough. */
async function watchChanges(
  exchange: ((plane: Plane) => Partial<Plane>) | undefined,
  isEnough: (seen: readonly (AccessHistory & { kind: string; writtenAfter: number })[]) => boolean,
  isWanted: (change: Change) => boolean = () => true,
  prepare: (subject: Subject) => Promise<unknown> = async () => {},
): Promise<(AccessHistory & { kind: string; writtenAfter: number })[]> {
  const watched = Array.from({ length: NODES }, () => start(exchange));
  const testEnvironment: TestEnvironment = {
    environment: 'sandbox',
    peppers: sandbox.options.peppers,
    superuser: async (text, values) => (await sandbox.database.superuser.query(text, values)).rows,
    async ask(node, token, { method, path, body }) {
      const answer = await watched[node]?.call(method, path, token, body);
      return { status: answer?.status ?? 0, code: answer?.code, text: JSON.stringify(answer?.body) };
    },
    async manage(method, path, body) {
      const { status, text } = await sandbox.manage(method, path, body);
      if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
      return { text };
    },
  };
  const own = await sandbox.newApp();
  await sandbox.manage('PATCH', `/apps/${own.id}`, { capturesBodies: true });
  const subject = { testEnvironment, appId: own.id, serverIds: own.serverIds.slice(0, 2) };
  await prepare(subject);
  const seen: (AccessHistory & { kind: string; writtenAfter: number })[] = [];
  for await (const change of changesOf(subject)) {
    if (isWanted(change)) seen.push({ kind: change.kind, ...(await measureChange(subject, change, LOAD)) });
    if (isEnough(seen)) break;
  }
  return seen;
}

test('on three nodes every change of access applies to requests that begin after it, and to none that ended before', async () => {
  // Two cycles of changes.
  const seen = await watchChanges(undefined, ({ length }) => length === 34);
  expect(new Set(seen.map(({ kind }) => kind)).size).toBe(13);
  const allowedBefore = new Map<string, number>();
  for (const { kind, writtenAfter, ...history } of seen) {
    const { late, early, backwards, before, begunAfter } = checkHistory(history);
    expect({ kind, late, early, backwards, writtenAfter }).toEqual({
      ...{ kind, late: 0, early: 0, backwards: 0, writtenAfter: 0 },
    });
    expect(begunAfter).toBeGreaterThanOrEqual(LOAD.readers);
    allowedBefore.set(kind, (allowedBefore.get(kind) ?? 0) + before);
  }
  expect([...allowedBefore].filter(([, before]) => before === 0)).toEqual([]);
  // The nodes kept headers and bodies meanwhile.
  await until(async () => (await sandbox.database.superuser.query('select from captures')).rows.length >= LOAD.readers);
}, 120_000);

describe('the check of linearizability', () => {
  const change = { askedMs: 10, answeredMs: 20, becomes: 'refused', unconfirmed: 0 } as const;
  const probe = (beganMs: number, endedMs: number, isAllowed: boolean): AccessProbeResult => ({
    beganMs,
    endedMs,
    isAllowed,
  });

  test.each<[string, AccessProbeResult[], Partial<LinearizabilityCounts>]>([
    [
      'allowed before, either way while it is made, refused after',
      [probe(1, 2, true), probe(9, 30, true), probe(19, 40, true), probe(5, 20, false), probe(21, 22, false)],
      {},
    ],
    ['allowed after the response', [probe(21, 22, true)], { late: 1 }],
    ['refused before the change was requested', [probe(8, 9, false)], { early: 1 }],
    ['allowed when another had been refused', [probe(11, 13, false), probe(14, 16, true)], { backwards: 1 }],
    ['allowed in parallel to a refused request', [probe(11, 13, false), probe(12, 16, true)], {}],
  ])('checkHistory classifies a history that is %s', (_, all, wrong) => {
    const none = { late: 0, early: 0, backwards: 0 };
    expect(checkHistory({ ...change, probes: all })).toMatchObject({ ...none, ...wrong });
    // The same history with access that returns.
    const opposite = all.map((one) => ({ ...one, isAllowed: !one.isAllowed }));
    expect(checkHistory({ ...change, becomes: 'allowed', probes: opposite })).toMatchObject({ ...none, ...wrong });
  });

  // More violations than chance would produce; a wrong authority is found well before the check gives up.
  const ENOUGH = 5;
  test.each(Object.entries(WRONG_AUTHORITIES))(
    'the check detects an authority that %s',
    async (_, wrong) => {
      const mutant = (plane: Plane): Partial<Plane> => ({ authority: wrong(plane.authority) });
      const violations = (seen: readonly AccessHistory[]): number => violationsOf(summarise(seen));
      const isKey = ({ kind }: Change): boolean => kind === 'a key is revoked';
      const seen = await watchChanges(mutant, (all) => violations(all) >= ENOUGH || all.length === 60, isKey);
      console.log(`found after ${seen.length} changes`);
      expect(violations(seen)).toBeGreaterThanOrEqual(ENOUGH);
    },
    120_000,
  );

  test('the check detects a service that judges an event by events:read only, when the scope of publications is revoked', async () => {
    // The second cycle begins with the second scope, which is the scope of publications.
    let revokes = 0;
    const isWanted = ({ kind }: Change): boolean => kind === 'a scope is revoked' && ++revokes === 2;
    const seen = await watchChanges(undefined, ({ length }) => length === 1, isWanted, judgeByEventsReadOnly);
    expect(violationsOf(summarise(seen))).toBeGreaterThanOrEqual(ENOUGH);
  }, 120_000);
});

test('a request never shares a look-up that began before it, however long the look-up takes', async () => {
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let lookups = Number.NEGATIVE_INFINITY;
  let authentications = 0;
  const node = start((plane) => {
    const db: Database = {
      ...plane.db.authority,
      async query<Row>(statement: Sql): Promise<Row[]> {
        const rows = await plane.db.authority.query<Row>(statement);
        lookups += 1;
        if (lookups === 1) await held;
        return rows;
      },
    };
    const right = createAuthority({ ...sandbox.options, db, patience: 1 });
    const authenticate: Authority['authenticate'] = (incoming) => {
      const proving = right.authenticate(incoming);
      authentications += 1;
      return proving;
    };
    return { authority: { authenticate } };
  });
  const key = await app.key();
  // Uses an open connection, because a connection that is not available in time would mean no look-up.
  await until(async () => (await node.call('GET', '/v1/me', key.token)).status === 200);
  [lookups, authentications] = [0, 0];
  const before = node.call('GET', '/v1/me', key.token);
  await until(() => lookups === 1);
  await sandbox.manage('POST', `/apps/${app.id}/keys/${key.id}/revoke`);
  const after = node.call('GET', '/v1/me', key.token);
  await until(() => authentications === 2);
  release();
  expect((await after).code).toBe('revoked_key');
  await before; // began before the revocation, so either response is right
});
