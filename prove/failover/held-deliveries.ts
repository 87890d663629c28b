// Due deliveries that no worker can claim on the previous primary until their access has ended on the new one. A session
// on the primary locks them before the fault and releases them afterwards. A worker that still relies on that server then
// claims them by its earlier state. At the moment of the fault, a claim of each worker waits for a lock of the session.
import pg from 'pg';
import { type FailoverCluster, poll } from './cluster.ts';
import type { Member } from './member.ts';
import { urlOf, WORKERS } from './service.ts';

const PENDING_MS = 30_000;
const CONNECT_MS = 5_000;

export interface HeldDeliveries {
  /** Lets the claims that wait continue, without the held deliveries. Waits for nothing: Postgres may be suspended. */
  continueClaims(): void;
  /**
   * Releases the deliveries, and ends the commits that wait for a standby, because their locks delay claims. Returns the
   * number of released deliveries. Rejects if the server is no longer writable.
   */
  release(): Promise<number>;
  close(): void;
}

interface HeldClaims {
  cluster: FailoverCluster;
  primary: Member;
  appId: string;
  endpointIds: readonly string[];
  /** Makes deliveries due. */
  emit(): Promise<unknown>;
}

export async function holdDeliveries({
  cluster,
  primary,
  appId,
  endpointIds,
  emit,
}: HeldClaims): Promise<HeldDeliveries> {
  const url = urlOf(`127.0.0.1:${primary.port}`, 'slipway_sandbox', 'postgres', cluster.superuserPassword);
  const session = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  session.on('error', () => {}); // the next query rejects
  await session.connect();
  const close = (): void => void session.end().catch(() => {}); // its server may be gone
  const waiting = `from queue where app_id = $1 and endpoint_id = any($2::uuid[]) and state = 'waiting'`;
  const values = [appId, endpointIds];
  async function hold(): Promise<void> {
    await session.query('select pg_advisory_lock(claims_lock($1))', [appId]);
    await emit();
    await session.query('begin');
    await session.query(`select ${waiting} for update`, values);
    await poll(async () => {
      const text = `select count(distinct pid)::int as workers from pg_locks
        where locktype = 'advisory' and mode = 'ShareLock' and not granted`;
      const { rows } = await session.query<{ workers: number }>(text);
      return (rows[0]?.workers ?? 0) >= WORKERS;
    }, PENDING_MS);
  }
  try {
    await hold();
  } catch (error) {
    close();
    throw error;
  }
  return {
    continueClaims() {
      session.query('select pg_advisory_unlock(claims_lock($1))', [appId]).catch(() => {}); // the release rejects
    },
    async release() {
      const text = `select count(*)::int as held ${waiting} and not pg_is_in_recovery()`;
      const { rows } = await session.query<{ held: number }>(text, values);
      await session.query(`select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`);
      await session.query('rollback');
      return rows[0]?.held ?? 0;
    },
    close,
  };
}
