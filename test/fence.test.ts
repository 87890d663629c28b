// A Postgres that is no longer the primary allows nothing (docs/decisions/0095). Its processes continue, as after a
// network partition.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { planeWork, type WorkPort } from '../server/src/access/authority/index.ts';
import { createKeyReader } from '../server/src/access/authority/key-facts.ts';
import { readAuthorityState } from '../server/src/access/authority/store.ts';
import { PLANE_ROLES, provision } from '../server/src/boot/provision.ts';
import { secret } from '../server/src/kit/crypto/secret.ts';
import {
  type Database,
  type DatabaseOptions,
  openDatabase,
  type Queryable,
  type Transaction,
} from '../server/src/kit/db/db.ts';
import { migrate } from '../server/src/kit/db/migrate.ts';
import { sql } from '../server/src/kit/db/sql.ts';
import { monotonicMs } from '../server/src/kit/flow/clock.ts';
import { createWorkerMembership } from '../server/src/webhooks/dispatch/workers/worker-membership.ts';
import { skipConfirmations } from '../server/test/unconfirmed-primary.ts';
import { type PostgresServer, type ReplicatedPostgres, startReplicatedPostgres } from './replicated-postgres.ts';
import { until } from './slipway.ts';

const PLANE = 'slipway_sandbox';
const MIGRATIONS = new URL('../server/migrations/plane', import.meta.url).pathname;
const APP = '00000000-0000-7000-8000-000000000001';
const KEY = '00000000-0000-7000-8000-000000000002';
const KID = 'abcdefghijkl';
const LIMITS = { max: 2, queryTimeoutMs: 700, connectTimeoutMs: 500 };

const optionsOf = (url: string, role: string): DatabaseOptions => ({ url, role: `slipway_${role}`, ...LIMITS });
const openOn = (server: PostgresServer, role = 'authority'): Database =>
  openDatabase(optionsOf(server.url(PLANE, PLANE), role));
const read = (db: Queryable) => readAuthorityState(db, []);
const isRefused = (asked: Promise<unknown>): Promise<boolean> =>
  asked.then(
    () => false,
    // Not by its class, which each process has for itself.
    (error: unknown) => error instanceof Error && error.name === 'DatabaseUnavailable',
  );

async function prepare(postgres: ReplicatedPostgres): Promise<void> {
  await provision(postgres.primary.url(), [{ name: PLANE, password: secret('for tests only'), roles: PLANE_ROLES }]);
  await migrate(postgres.primary.url(PLANE, PLANE), MIGRATIONS);
}

describe('a primary and a standby', () => {
  let postgres: ReplicatedPostgres;
  let old: Database;
  beforeAll(async () => {
    postgres = await startReplicatedPostgres();
    await prepare(postgres);
    await postgres.primary.query(
      `insert into apps (app_id, organisation_id, name, created_by) values ('${APP}', gen_random_uuid(), 'a', 'a test');
     insert into keys (app_id, key_id, kid, verifier, pepper_version, name, scopes, created_by, created_at, expires_at)
     values ('${APP}', '${KEY}', '${KID}', decode(repeat('00', 32), 'hex'), 1, 'k', '{servers:read}', 'a test', now(), now() + interval '1 day')`,
      PLANE,
    );
    old = openOn(postgres.primary);
  });
  afterAll(async () => {
    await old.close();
    await postgres.remove();
  });

  /** Returns the transaction id after the last one that was used. */
  const nextTransaction = async (): Promise<unknown> =>
    (await postgres.primary.query('select pg_snapshot_xmax(pg_current_snapshot())::text as next'))[0]?.next;

  test('a batch without a synchronous standby writes nothing', async () => {
    const before = await nextTransaction();
    await read(old);
    expect(await nextTransaction()).toBe(before);
  });

  test('a synchronous standby confirms a connection, and a standby that hangs makes authority unavailable', async () => {
    await postgres.setSynchronous(true);
    const before = await nextTransaction();
    const another = openOn(postgres.primary);
    await read(another);
    expect(Number(await nextTransaction())).toBeGreaterThan(Number(before));
    await another.close();
    postgres.standby.freeze();
    await until(() => isRefused(read(old)));
    postgres.standby.thaw();
    await until(() => read(old).catch(() => undefined));
  });

  test('after the promotion of the standby and a change on it, no process allows on the word of the previous primary', async () => {
    const { primary, standby } = postgres;
    const before = await read(old);
    let current: Queryable = old;
    const reader = createKeyReader(
      { query: (statement) => current.query(statement), first: (statement) => current.first(statement) },
      10,
    );
    await reader.read([KID]);

    // The database of another process, which never sees the new primary.
    vi.resetModules();
    const other: typeof import('../server/src/kit/db/db.ts') = await import('../server/src/kit/db/db.ts');
    const openThere = (role: string): Database => other.openDatabase(optionsOf(primary.url(PLANE, PLANE), role));
    const [authority, pages, forwarding] = [openThere('authority'), openThere('manager'), openThere('api')];
    await pages.query(sql`select`);
    let end = (): void => {};
    const isOver = new Promise<void>((resolve) => {
      end = resolve;
    });
    const forwarded = await new Promise<Transaction>((resolve, reject) => {
      const hold = async (tx: Transaction): Promise<void> => {
        await tx.query(sql`select`);
        resolve(tx);
        await isOver;
      };
      forwarding.transaction(hold).catch(reject);
    });
    await read(authority);
    const leases = openThere('worker');
    const membership = createWorkerMembership(leases, { heartbeatMs: 250, deadAfterMs: 3_000 }, () => {});
    await membership.sendHeartbeat();

    await postgres.promote();
    // Its connection is confirmed for a second, so only the commit refuses the heartbeat.
    expect(await isRefused(membership.sendHeartbeat())).toBe(true);
    const manager = openOn(standby, 'manager');
    const plane = {
      environment: 'sandbox',
      db: { manager },
      deliveries: { cancelInFlight: async () => {}, wake() {} },
    } as unknown as WorkPort; // the unit uses only these
    await planeWork(plane, { organisationId: APP }, async () => {});
    await manager.close();
    expect(forwarded.isLost()).toBe(true);
    expect(membership.current()?.leaseUntilMs).toBeLessThan(monotonicMs());
    end();
    expect(await isRefused(read(authority))).toBe(true);
    expect(await isRefused(pages.query(sql`select`))).toBe(true);
    // The previous primary still runs, and a process without confirmations relies on it.
    expect(await primary.query('select 1 as one')).toEqual([{ one: 1 }]);
    const confirmAgain = skipConfirmations();
    const wrong = openThere('authority');
    expect((await read(wrong)).timeline).toBe('00000001');
    confirmAgain();

    // A change that leaves the count as it was, as a change after a lost one does.
    await standby.query(
      `set session_replication_role = replica; update keys set scopes = '{tickets:create}' where kid = '${KID}'`,
      PLANE,
    );
    const promoted = openOn(standby);
    const after = await read(promoted);
    expect([before.timeline, after.timeline]).toEqual(['00000001', '00000002']);
    expect(after.cacheEpoch).not.toBe(before.cacheEpoch);
    expect(after.restoreEpoch).toBe(before.restoreEpoch);
    current = promoted;
    const { facts } = await reader.read([KID]);
    expect(facts.get(KID)?.identity.scopes).toEqual(['tickets:create']);

    // A process whose URL names both servers leaves the previous primary, although that server accepts connections.
    const ofBoth = `postgres://${PLANE}@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/${PLANE}`;
    const both = other.openDatabase(optionsOf(ofBoth, 'authority'));
    expect((await until(() => read(both).catch(() => undefined))).timeline).toBe('00000002');

    // Without a synchronous standby, only the timeline distinguishes the servers. Both processes have seen the later one.
    await primary.query("alter system set synchronous_standby_names = ''");
    await primary.query('select pg_reload_conf()');
    expect(await isRefused(read(wrong))).toBe(true);
    expect(await isRefused(read(old))).toBe(true);
    const another = openOn(primary);
    await expect(read(another)).rejects.toThrow(`127.0.0.1:${primary.port} is no longer the primary`);
    await Promise.all([authority, pages, forwarding, leases, wrong, promoted, both, another].map((db) => db.close()));
  });
});

describe('a primary and two standbys, of which one must confirm', () => {
  let postgres: ReplicatedPostgres;
  beforeAll(async () => {
    postgres = await startReplicatedPostgres({ standbys: 2 });
    await prepare(postgres);
    await postgres.setSynchronous(true);
  });
  afterAll(() => postgres.remove());

  test('a standby that hangs changes nothing', async () => {
    const db = openOn(postgres.primary);
    postgres.standby.freeze();
    expect((await read(db)).timeline).toBe('00000001');
    postgres.standby.thaw();
    await db.close();
  });

  test('the new primary is used only when the other standby follows it, and then the previous one allows nothing', async () => {
    const { primary, standby } = postgres;
    const [, other = standby] = postgres.standbys;
    await until(async () => {
      const rows = await primary.query(
        'select replay_lsn >= pg_current_wal_lsn() as is_current from pg_stat_replication',
      );
      return rows.length === 2 && rows.every((row) => row.is_current === true);
    });
    primary.freeze();
    // As synchronous_mode_strict of Patroni sets it before the promotion.
    await standby.query("alter system set synchronous_standby_names = '*'");
    await standby.query('select pg_reload_conf()');
    await postgres.promote();
    const promoted = openOn(standby);
    // The other standby can still confirm commits of the previous primary.
    expect(await isRefused(read(promoted))).toBe(true);
    await postgres.follow(other, standby);
    expect((await until(() => read(promoted).catch(() => undefined))).timeline).toBe('00000002');
    primary.thaw();
    const fromOld = openOn(primary);
    expect(await isRefused(read(fromOld))).toBe(true);
    await fromOld.close();
    await promoted.close();
  });
});
