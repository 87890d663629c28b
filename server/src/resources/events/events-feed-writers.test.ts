// The feed with overlapping writers: a client that reads page by page receives each event exactly once and every
// sequence of each subject, regardless of the order in which transactions begin, write and end.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { runAsTenant, type TenantTransaction } from '../../access/authority/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { sql } from '../../kit/db/sql.ts';
import { pingServer } from '../../sandbox/world/change-server.ts';
import { createSeededRandom } from '../synthetic.ts';

let sandbox: Sandbox;
let app: TestApp;
let token: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
  token = (await app.key()).token;
});
afterAll(() => sandbox.close());

interface Event {
  id: string;
  subject: { id: string };
  sequence: number;
}

/** Opens a transaction with a fixed position in the feed. The transaction stays open until the test ends it. */
async function openWriter(slot: number) {
  let end = (_isKept: boolean): void => {};
  const outcome = new Promise<boolean>((resolve) => {
    end = resolve;
  });
  let hand = (_tenant: TenantTransaction): void => {};
  const handed = new Promise<TenantTransaction>((resolve) => {
    hand = resolve;
  });
  const over = runAsTenant(sandbox.plane.db.manager, fromId('app', app.id) ?? '', async (tenant) => {
    // Without separate slots, two writers could wait for each other: the count of changes is kept in four rows.
    await tenant.query(sql`select pg_current_xact_id(), set_config('slipway.revision_slot', ${String(slot)}, true)`);
    hand(tenant);
    if (!(await outcome)) throw new Error('Rolled back.');
  }).then(
    () => true,
    () => false,
  );
  const tenant = await handed;
  const held = new Set<string>();
  return {
    slot,
    /** Subjects whose next event waits for the end of this transaction. */
    held,
    async write(serverId: string): Promise<void> {
      held.add(serverId);
      await pingServer(tenant, sandbox.plane, fromId('srv', serverId) ?? '');
      await tenant.query(sql`select`); // flushes the buffered statements
    },
    async end(isKept: boolean): Promise<void> {
      end(isKept);
      expect(await over).toBe(isKept);
    },
  };
}
type Writer = Awaited<ReturnType<typeof openWriter>>;

/** Creates a client that reads the feed page by page. */
function createReader(query: Record<string, string>) {
  const seen: Event[] = [];
  let after: string | null = null;
  return {
    seen,
    /** Reads the next page and returns the number of its events. */
    async readOn(): Promise<number> {
      const { body } = await sandbox.call<{ data: Event[]; nextAfter: string | null }>(
        `/v1/events?${new URLSearchParams(after === null ? query : { ...query, after })}`,
        token,
      );
      seen.push(...body.data);
      after = body.nextAfter;
      return body.data.length;
    },
  };
}
type Reader = ReturnType<typeof createReader>;

const STEPS = 300;
const ROUNDS = 5;
const SLOTS = [0, 1, 2, 3];

/**
 * Begins, writes, ends and reads in a drawn order. Returns the number of non-empty pages that were read while a writer
 * was open.
 */
async function interleave(open: Writer[], readers: readonly Reader[], round: number): Promise<number> {
  let pages = 0;
  for (let step = round * STEPS; step < (round + 1) * STEPS; step += 1) {
    const draw = createSeededRandom(`overlapping writers/${step}`);
    const what = draw.number(10);
    const slot = SLOTS.find((one) => !open.some((writer) => writer.slot === one));
    if (what < 2 && slot !== undefined) open.push(await openWriter(slot));
    else if (what < 5 && open.length > 0) {
      const writer = draw.pick(open);
      const serverId = draw.pick(app.serverIds);
      if (!open.some((other) => other !== writer && other.held.has(serverId))) await writer.write(serverId);
    } else if (what < 7 && open.length > 0) {
      const [ending] = open.splice(draw.number(open.length), 1);
      await ending?.end(draw.number(5) > 0);
    } else if ((await draw.pick(readers).readOn()) > 0 && open.length > 0) pages += 1;
  }
  return pages;
}

test('returns each event once and every sequence to a client of the feed while transactions overlap', async () => {
  const readers = [
    createReader({ limit: '1' }),
    createReader({ limit: '3' }),
    createReader({ limit: '2', type: 'ping' }),
  ];
  const open: Writer[] = [];
  // A transaction of another test can delay every feed of this Postgres instance, sometimes for a whole round.
  let pagesWhileOpen = 0;
  for (let round = 0; round < ROUNDS && pagesWhileOpen <= 5; round += 1) {
    pagesWhileOpen += await interleave(open, readers, round);
  }
  for (const writer of open) await writer.end(true);

  const committed = await sandbox.database.superuser.query<{ body: string }>('select body from events');
  const ids = committed.rows.map(({ body }) => JSON.parse(body).id).sort();
  expect(ids.length).toBeGreaterThan(30);
  for (const { seen, readOn } of readers) {
    // The last events appear when no older transaction of the whole Postgres instance is open, including those of other
    // tests.
    await until(async () => (await readOn()) === 0 && seen.length >= ids.length, 5_000).catch(() => {});
    expect(seen.map(({ id }) => id).sort()).toEqual(ids);
    for (const serverId of app.serverIds) {
      const sequences = seen.filter(({ subject }) => subject.id === serverId).map(({ sequence }) => sequence);
      // Compared by number: the event of the transaction that began first comes first.
      expect(sequences.sort((a, b) => a - b)).toEqual(sequences.map((_, index) => index + 1));
    }
  }
  // A part of the events was read before the end.
  expect(pagesWhileOpen).toBeGreaterThan(5);
});
