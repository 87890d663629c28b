// A node dies under load at any time: every answered request must have its record.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startScript } from '../../bench/kit.ts';
import { fromId, newUuid, toId } from '../../server/src/kit/crypto/ids.ts';
import type { App, WebhookSetup } from '../webhooks/setup.ts';
import { type Answers, startLoad } from './load.ts';

/** The node is warm after this many responses. */
const FIRST_ANSWERS = 100;
/**
 * Few calls come without a valid key. Without this wait, a busy machine would kill the node before there are enough of
 * them.
 */
const MIN_UNAUTHENTICATED = 25;

export interface CrashRound extends Answers {
  /** Requests that were answered and have no record, although the node had not given their records up. */
  lost: string[];
  /** The number of records that the node gave up after half a second, because its machine was too busy. */
  givenUp: number;
  /** The number of requests without an authenticated key that were answered but neither kept, counted nor given up. */
  uncounted: number;
}

export interface RoundOptions {
  folder: string;
  connections: number;
  /** Milliseconds after its first responses. */
  afterMs: number;
  isEarly?: boolean;
}

/** Runs one node from its start to its death. */
export async function killUnderLoad(setup: WebhookSetup, app: App, input: RoundOptions): Promise<CrashRound> {
  const before = await countUnauthenticated(setup);
  const env = { BENCH_DATABASE_URL: setup.url, BENCH_RATE: '1000000' };
  const log = join(input.folder, newUuid());
  const node = await startScript('prove/inspector/node.ts', [log, ...(input.isEarly ? ['early'] : [])], env);
  const { authenticated, unauthenticated, ended } = startLoad(node.firstLine, app, input.connections);
  let isOver = false;
  const over = ended.finally(() => {
    isOver = true;
  });
  // A failed load is reported below, and must leave no node running.
  over.catch(() => {});
  while (!isOver && (authenticated.length < FIRST_ANSWERS || unauthenticated.length < MIN_UNAUTHENTICATED))
    await pause(5);
  await pause(input.afterMs);
  node.child.kill('SIGKILL');
  await over;
  const more = (await countUnauthenticated(setup)) - before;
  const givenUp = new Set(readFileSync(log, 'utf8').split('\n').slice(0, -1));
  const expected = unauthenticated.filter((id) => !givenUp.has(id));
  return {
    authenticated,
    unauthenticated,
    lost: (await findMissing(setup, app, authenticated)).filter((id) => !givenUp.has(id)),
    givenUp: givenUp.size,
    uncounted: Math.max(0, expected.length - more),
  };
}

async function findMissing(setup: WebhookSetup, app: App, requestIds: readonly string[]): Promise<string[]> {
  const uuids = requestIds.map((id) => fromId('req', id) ?? '');
  const rows = await setup.rows<{ id: string }>(
    `select id from unnest($2::uuid[]) as asked (id) where not exists (
       select from request_records where app_id = $1 and request_id = asked.id)`,
    [app.appId, uuids],
  );
  return rows.map((row) => toId('req', row.id));
}

/** Counts requests that were kept singly or in a count. */
async function countUnauthenticated(setup: WebhookSetup): Promise<number> {
  const [row] = await setup.rows<{ n: number }>(
    `select ((select count(*) from unproved_requests) +
       (select coalesce(sum(requests), 0) from unproved_counts))::int as n`,
  );
  return row?.n ?? 0;
}
