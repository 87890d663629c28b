// Rolls a database back while a process stays connected to it, as `slipway-server restore` or a snapshot of a volume
// does.

import { createLifetime } from '../src/boot/process.ts';
import { openSnapshot } from '../src/commands/backup-store.ts';
import { reopen } from '../src/commands/reopen.ts';
import { openDatabaseRestore } from '../src/commands/restore-store.ts';
import { readConfig } from '../src/config/config.ts';
import { createLog } from '../src/kit/telemetry/log.ts';
import { cloneDatabase, type TestDatabase } from './harness.ts';

async function copy(
  from: TestDatabase,
  to: TestDatabase,
  kind: 'plane' | 'console',
  meanwhile?: () => Promise<void>,
): Promise<void> {
  const snapshot = await openSnapshot(from.url);
  const filling = await openDatabaseRestore(to.url, kind, snapshot);
  try {
    for (const table of snapshot.tables) await filling.fill(table, snapshot.read(table));
    await meanwhile?.();
    await filling.commit();
  } finally {
    await Promise.all([snapshot.close(), filling.close()]);
  }
}

export interface Restorable {
  /** `restore` closes the gate; `by_hand` also restores the state that the gate had at the backup. */
  restore(how: 'restore' | 'by_hand'): Promise<void>;
  drop(): Promise<void>;
}

const STATE = {
  plane: {
    read: 'select to_jsonb(p) as state from plane_state p',
    write: `update plane_state set (closed_at, closed_because, restore_epoch) = (select s.closed_at, s.closed_because, s.restore_epoch
      from jsonb_populate_record(null::plane_state, $1) s)`,
  },
  console: {
    read: "select value as state from facts where name = 'restore_gate'",
    write: "delete from facts where name = 'restore_gate' and $1::jsonb is null",
  },
};

/** Takes a backup of the database. */
export async function backUp(database: TestDatabase, kind: 'plane' | 'console'): Promise<Restorable> {
  const state = (await database.superuser.query<{ state: unknown }>(STATE[kind].read)).rows[0]?.state ?? null;
  const kept = await cloneDatabase(kind);
  await copy(database, kept, kind);
  return {
    async restore(how) {
      await copy(kept, database, kind);
      if (how === 'by_hand') await database.superuser.query(STATE[kind].write, [state]);
    },
    drop: () => kept.drop(),
  };
}

/** Runs `slipway-server reopen` with these settings; returns what it prints. */
export async function runReopen(settings: Record<string, string>, args: readonly string[]): Promise<string[]> {
  const printed: string[] = [];
  const log = createLog(false);
  const lifetime = createLifetime(log);
  try {
    const config = readConfig(settings);
    await reopen([...args], { config, log, lifetime, print: (line) => printed.push(line) });
  } finally {
    await lifetime.stop();
  }
  return printed;
}

/** Copies a database into an empty one as a restore does; `meanwhile` runs before the transaction ends. */
export async function restoreInto(
  target: TestDatabase,
  from: TestDatabase,
  meanwhile?: () => Promise<void>,
): Promise<void> {
  await copy(from, target, 'plane', meanwhile);
}
