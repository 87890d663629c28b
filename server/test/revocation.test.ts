// Revocation is linearizable: what begins after the answer of a revoke or a pause is refused, on every node. That the
// check can fail is shown by two authorities that are wrong in the likeliest ways.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Authority, type Caller, createAuthority, type Plane } from '../src/features/authority/index.ts';
import type { Database } from '../src/kit/db.ts';
import type { Incoming } from '../src/kit/operation.ts';
import type { Sql } from '../src/kit/sql.ts';
import { type Sandbox, startSandbox, type TestApp } from './app.ts';
import { until } from './harness.ts';
import { type Verdict, watchDenials } from './linearizable.ts';
import { type ApiNode, startNode } from './node.ts';

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

const READERS = 8;

async function watchKeys(watched: readonly ApiNode[], count: number): Promise<Verdict> {
  const ids = new Map<string, string>();
  for (let made = 0; made < count; made++) {
    const key = await app.key();
    ids.set(key.token, key.id);
  }
  return watchDenials({
    targets: [...ids.keys()],
    readers: READERS,
    async isAllowed(reader, token) {
      const node = watched[reader % watched.length];
      const path = reader % 4 < 2 ? '/v1/servers' : '/v1/me';
      const answer = await node?.call('GET', path, token);
      if (answer?.status !== 200 && answer?.code !== 'revoked_key') throw new Error(`It answered ${answer?.code}.`);
      return answer.status === 200;
    },
    async deny(token) {
      const { status } = await sandbox.manage('POST', `/apps/${app.id}/keys/${ids.get(token)}/revoke`);
      expect(status).toBe(200);
    },
  });
}

describe('on two nodes', () => {
  test('no request that begins after a key’s revoke was answered is accepted', async () => {
    const verdict = await watchKeys([start(), start()], 12);
    expect(verdict.violations).toBe(0);
    expect(verdict.begunAfter).toBeGreaterThanOrEqual(12 * 2 * READERS);
    expect(verdict.allowed).toBeGreaterThanOrEqual(12 * READERS);
  });

  test.each([
    'paused',
    'revoked',
  ])('no request that begins after an installation was %s sees its server', async (state) => {
    const own = await sandbox.newApp();
    const { token } = await own.key();
    const both = [start(), start()];
    const verdict = await watchDenials({
      targets: own.serverIds,
      readers: READERS,
      async isAllowed(reader, server) {
        const node = both[reader % 2];
        if (reader % 4 < 2) return (await node?.call('GET', `/v1/servers/${server}`, token))?.status === 200;
        const list = await node?.call('GET', '/v1/servers', token);
        return JSON.stringify(list?.body.data).includes(server);
      },
      async deny(server) {
        const path = `/apps/${own.id}/servers/${server}/installation`;
        expect((await sandbox.manage('PUT', path, { state })).status).toBe(200);
      },
    });
    expect(verdict.violations).toBe(0);
    expect(verdict.allowed).toBeGreaterThanOrEqual(own.serverIds.length * READERS);
  });
});

/** The likeliest mistake: who asks for the same key while it is looked up gets the same answer. */
function sharingLookUps(right: Authority): Authority {
  const running = new Map<string, Promise<Caller>>();
  return {
    async authenticate(incoming) {
      const asked = String(incoming.headers.authorization);
      // The delay stands for a slow way back from the database; nothing waits for it but the mutant.
      const looking =
        running.get(asked) ?? right.authenticate(incoming).then((caller) => pause(Math.random() * 15, caller));
      running.set(asked, looking);
      return noted(
        incoming,
        looking.finally(() => running.delete(asked)),
      );
    },
  };
}

/** The usual mistake: an answer that is good for a while. */
function caching(right: Authority): Authority {
  const kept = new Map<string, { untilMs: number; caller: Promise<Caller> }>();
  return {
    async authenticate(incoming) {
      const asked = String(incoming.headers.authorization);
      const entry = kept.get(asked);
      if (entry && entry.untilMs > performance.now()) return noted(incoming, entry.caller);
      const caller = right.authenticate(incoming);
      kept.set(asked, { untilMs: performance.now() + 50, caller });
      return caller;
    },
  };
}

async function noted(incoming: Incoming, proving: Promise<Caller>): Promise<Caller> {
  const caller = await proving;
  incoming.exchange.principal = caller;
  return caller;
}

describe('the check itself', () => {
  test.each([
    ['shares running look-ups', sharingLookUps],
    ['answers from a cache of 50 ms', caching],
  ])('catches an authority that %s', async (_, wrong) => {
    const mutant = (plane: Plane): Partial<Plane> => ({ authority: wrong(plane.authority) });
    const verdict = await watchKeys([start(mutant), start(mutant)], 12);
    expect(verdict.violations).toBeGreaterThan(0);
  });
});

test('a request never shares a look-up that left before it, however long that one takes', async () => {
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let lookedUp = 0;
  let asked = 0;
  const node = start((plane) => {
    const db: Database = {
      ...plane.db.authority,
      async query<Row>(statement: Sql): Promise<Row[]> {
        const rows = await plane.db.authority.query<Row>(statement);
        lookedUp += 1;
        if (lookedUp === 1) await held;
        return rows;
      },
    };
    const right = createAuthority({ ...sandbox.options, db });
    const authenticate: Authority['authenticate'] = (incoming) => {
      const proving = right.authenticate(incoming);
      asked += 1;
      return proving;
    };
    return { authority: { authenticate } };
  });
  const key = await app.key();
  const before = node.call('GET', '/v1/me', key.token);
  await until(() => lookedUp === 1);
  await sandbox.manage('POST', `/apps/${app.id}/keys/${key.id}/revoke`);
  const after = node.call('GET', '/v1/me', key.token);
  await until(() => asked === 2);
  release();
  expect((await after).code).toBe('revoked_key');
  await before; // it began before the revoke: whatever it was told is right
});
