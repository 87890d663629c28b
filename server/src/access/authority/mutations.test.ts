import { expect, test } from 'vitest';
import { type Database, DatabaseUnavailable, type Transaction } from '../../kit/db/db.ts';
import { defineItemWrite } from '../../kit/db/item-statement-store.ts';
import { sql } from '../../kit/db/sql.ts';
import { createMutations } from './mutations.ts';

const WRITE = defineItemWrite<{ n: number }, { nth: number }>(sql`n int`, (rows) => sql`select nth from ${rows}`);
// The functions that a mutation uses.
const tx = { send() {}, query: async () => [], withCommit: async () => [{ nth: 0 }] } as unknown as Transaction;

/** Runs a mutation, and returns the outcome of its statement in each call. */
async function outcomesOf(transaction: Database['transaction'], bytes: number): Promise<unknown[]> {
  const db = { transaction } as Database; // the only function that mutations use
  const { run } = createMutations({ shared: db, alone: db, patience: 1 });
  const outcomes: (Promise<unknown> | undefined)[] = [];
  const work = run(
    'a test',
    'an app',
    async (tenant) => outcomes.push(tenant.sendForOutcome?.(WRITE, [{ n: 1 }])),
    bytes,
  );
  await work.catch(() => {});
  return Promise.all(outcomes);
}

const ALONE = 1_000_000;

test.each([
  ['alone', ALONE],
  ['shared', 0],
])('a statement of a committed mutation resolves to its rows (%s)', async (_, bytes) => {
  expect(await outcomesOf((run) => run(tx), bytes)).toEqual([[{ nth: 0 }]]);
});

test('a statement of a mutation that is called again resolves to nothing, and the one of the last call to its rows', async () => {
  const twice: Database['transaction'] = async (run) => {
    await run(tx);
    return run(tx);
  };
  expect(await outcomesOf(twice, ALONE)).toEqual([undefined, [{ nth: 0 }]]);
});

test.each([
  ['alone', ALONE],
  ['shared', 0],
])('a statement of a mutation whose commit is unknown resolves to nothing (%s)', async (_, bytes) => {
  const lost: Database['transaction'] = async (run) => {
    await run(tx);
    throw new DatabaseUnavailable(new Error('lost'));
  };
  expect(await outcomesOf(lost, bytes)).toEqual([undefined]);
});
