import { describe, expect, test } from 'vitest';
import { newUuid } from '../../kit/crypto/ids.ts';
import type { Database, Transaction } from '../../kit/db/db.ts';
import { monotonicMs } from '../../kit/flow/clock.ts';
import type { Reply } from '../../kit/http/operation.ts';
import type { LostAccess, UnsignedReceipt, WorkPort } from './plane.ts';
import { planeWork, unitOfWork, withTenant } from './unit-of-work.ts';

const organisationId = '01890000-0000-7000-8000-000000000001';
const appId = '01890000-0000-7000-8000-000000000002';
const actor = { kind: 'machine', id: null, name: 'A test' } as const;

/** Returns a database that records what happens, and repeats the transaction `conflicts` times as after a deadlock. */
function notingDatabase(conflicts = 0, previousPrimaryMs = 0) {
  const notes: string[] = [];
  const entries: unknown[][] = [];
  const tx = {
    send: ({ text }: { text: string }) => notes.push(/set_config\('([\w.]+)'/.exec(text)?.[1] ?? text),
    sendLast: ({ values }: { values: unknown[] }) => entries.push(values),
    previousPrimaryMs: () => previousPrimaryMs,
  } as unknown as Transaction; // the unit uses only these functions
  const db = {
    async transaction<T>(run: (tx: Transaction) => Promise<T>): Promise<T> {
      for (let conflictsLeft = conflicts; conflictsLeft > 0; conflictsLeft--) await run(tx);
      const result = await run(tx);
      notes.push('commit');
      return result;
    },
  } as Database; // the unit uses only this function
  return { db, notes, entries };
}

describe('unitOfWork', () => {
  test('runs the steps after the commit, in the order of the calls', async () => {
    const { db, notes } = notingDatabase();
    const result = await unitOfWork(db, {}, async ({ afterCommit }) => {
      for (const name of ['first', 'second']) {
        afterCommit(async () => {
          await Promise.resolve();
          notes.push(name);
        });
      }
      notes.push('run');
      return 'made';
    });
    expect(result).toBe('made');
    expect(notes).toEqual(['run', 'commit', 'first', 'second']);
  });

  test('answers with the reply of a step', async () => {
    const { db } = notingDatabase();
    const reply = await unitOfWork<Reply>(db, {}, async ({ afterCommit }) =>
      afterCommit(async () => ({ status: 202, body: 'later' })),
    );
    expect(reply).toEqual({ status: 202, body: 'later' });
  });

  test('drops the steps of a transaction that is repeated after a conflict', async () => {
    const { db, notes } = notingDatabase(1);
    let tries = 0;
    await unitOfWork(db, {}, async ({ afterCommit }) => {
      const name = `step of try ${++tries}`;
      afterCommit(async () => void notes.push(name));
    });
    expect(notes).toEqual(['commit', 'step of try 2']);
  });

  test('runs no step if the transaction fails', async () => {
    const { db, notes } = notingDatabase();
    const work = unitOfWork(db, {}, async ({ afterCommit }) => {
      afterCommit(async () => void notes.push('step'));
      throw new Error('refused');
    });
    await expect(work).rejects.toThrow('refused');
    expect(notes).toEqual([]);
  });

  test('writes entries with the defaults of the scope, and with the values that replace them', async () => {
    const { db, entries } = notingDatabase();
    await unitOfWork(db, { organisationId, actor, requestId: 'req_1' }, async ({ audit }) => {
      audit('app.update', 'app_1', { name: 'New' });
      audit('app.update', 'app_2', {}, { appId });
    });
    const [first, second] = entries;
    expect(first).toEqual(
      expect.arrayContaining([organisationId, 'machine', 'A test', 'app.update', 'app_1', 'req_1']),
    );
    expect(first).not.toContain(appId);
    expect(second).toContain(appId);
  });

  test('refuses an entry without an organisation or an actor', async () => {
    const { db } = notingDatabase();
    const work = unitOfWork(db, { actor }, async ({ audit }) => audit('app.update', 'app_1'));
    await expect(work).rejects.toThrow('no organisation');
  });
});

describe('planeWork', () => {
  function notingPlane(conflicts = 0, previousPrimaryMs = 0) {
    const { db, notes, entries } = notingDatabase(conflicts, previousPrimaryMs);
    const denied: LostAccess[][] = [];
    const plane = {
      db: { manager: db },
      deliveries: {
        async cancelInFlight(_tx: unknown, denials: readonly LostAccess[]) {
          denied.push([...denials]);
          await new Promise((resolve) => setImmediate(resolve));
          notes.push('cancelled');
          return [];
        },
        wake: () => void notes.push('woken'),
      },
      receipts: {
        store: (_tx: unknown, { keys }: UnsignedReceipt) => void notes.push(`stored ${keys.length}`),
        sign: ({ keys }: UnsignedReceipt, _cancelled: unknown, _cancellations: unknown, waitedMs: number) =>
          void notes.push(`signed ${keys.length}, waited ${waitedMs}`),
      },
    } as unknown as WorkPort; // the unit uses only these
    return { plane, notes, entries, denied };
  }

  test('sets the organisation before the first statement of the operation', async () => {
    const { plane, notes } = notingPlane();
    await planeWork(plane, { organisationId }, async () => void notes.push('run'));
    expect(notes.slice(0, 2)).toEqual(['slipway.organisation_id', 'run']);
  });

  test('waits for the cancellation of in-flight deliveries, then wakes the workers, then makes the answer', async () => {
    const { plane, notes, denied } = notingPlane();
    await planeWork<Reply>(plane, { organisationId }, async (work) => {
      const { wakeWorkers, cancelInFlight, afterCommit } = withTenant(work, appId);
      wakeWorkers();
      const answer = afterCommit(async () => {
        notes.push('answer');
        return { status: 200 };
      });
      cancelInFlight({ keyId: null, serverId: null });
      return answer;
    });
    expect(notes.slice(notes.indexOf('commit'))).toEqual(['commit', 'cancelled', 'woken', 'answer']);
    expect(denied).toEqual([[{ appId, keyId: null, serverId: null }]]);
  });

  test('stores one receipt for each app before the commit, and signs it after the cancellation', async () => {
    const { plane, notes } = notingPlane();
    const ids = await planeWork(plane, { organisationId }, async (work) => {
      const { certify, receiptId } = withTenant(work, appId);
      expect(receiptId()).toBeNull();
      const revoke = (kid: string): string =>
        certify({ keys: [{ keyId: newUuid(), kid }], cancelled: Promise.resolve(1) });
      return [revoke('one'), revoke('two'), receiptId(), withTenant(work, newUuid()).receiptId()];
    });
    expect(ids).toEqual([ids[0], ids[0], ids[0], null]);
    expect(notes.slice(notes.indexOf('stored 2'))).toEqual(['stored 2', 'commit', 'cancelled', 'signed 2, waited 0']);
  });

  test('answers a change just after a failover when no process relies on the previous primary any more', async () => {
    const previousMs = 60;
    const { plane, notes } = notingPlane(0, previousMs);
    const beganMs = monotonicMs();
    await planeWork<Reply>(plane, { organisationId }, async ({ afterCommit }) =>
      afterCommit(async () => {
        notes.push('answer');
        return { status: 200 };
      }),
    );
    expect(monotonicMs() - beganMs).toBeGreaterThan(previousMs - 1);
    expect(notes.slice(notes.indexOf('commit'))).toEqual(['commit', 'cancelled', 'answer']);
  });

  test('does not wait with another pool, which changes nothing', async () => {
    const { plane, notes } = notingPlane(0, 3_600_000);
    const { db } = notingDatabase(0, 3_600_000);
    await planeWork(plane, { organisationId, db }, async () => void notes.push('run'));
    expect(notes).toContain('run');
  });

  test('names the wait after a failover in the receipt', async () => {
    const { plane, notes } = notingPlane(0, 2.4);
    await planeWork(plane, { organisationId }, async (work) => {
      withTenant(work, appId).certify({ cancelled: Promise.resolve(0) });
    });
    expect(notes.at(-1)).toBe('signed 0, waited 3');
  });

  test('wakes no worker if nothing is due', async () => {
    const { plane, notes } = notingPlane();
    await planeWork(plane, { organisationId }, async () => undefined);
    expect(notes).not.toContain('woken');
  });

  test('denies after a conflict what the last try denied', async () => {
    const { plane, denied } = notingPlane(1);
    let tries = 0;
    await planeWork(plane, { organisationId }, async (work) => {
      const { cancelInFlight } = withTenant(work, appId);
      tries += 1;
      for (let times = 0; times < tries; times++) cancelInFlight({ keyId: null, serverId: null });
    });
    expect(denied.map((denials) => denials.length)).toEqual([1, 2]);
  });

  test('names the app in the entries of an app', async () => {
    const { plane, entries } = notingPlane();
    await planeWork(plane, { organisationId, actor }, async (work) =>
      withTenant(work, appId).audit('app.update', 'app_1'),
    );
    expect(entries[0]).toContain(appId);
  });
});
