// The dispatcher of the proofs, with its deliberate faults. Its process writes its actions to a file immediately, so that
// they survive SIGKILL.
import { subscribe } from 'node:diagnostics_channel';
import { EventEmitter, once } from 'node:events';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { BENCH_SECRETS } from '../../bench/secrets.ts';
import { type Database, firstOf } from '../../server/src/kit/db/db.ts';
import type { Sql } from '../../server/src/kit/db/sql.ts';
import {
  createOutboundClient,
  type OutboundClient,
  type OutboundRequest,
  type OutboundResult,
} from '../../server/src/kit/outbound/outbound.ts';
import { startDispatcher } from '../../server/src/webhooks/dispatch/dispatch-webhooks.job.ts';
import { DELIVERY_KEY_STATE } from '../../server/src/webhooks/webhooks/index.ts';
import { type CrashTrigger, crashingDatabase, crashingOutbound } from './crash-points.ts';
import { flippingLookup } from './flipping-lookup.ts';
import { printErrorOnce, sharedMs } from './print-errors.ts';
import type { NodeOptions } from './processes.ts';

type WriteLine = (line: string) => void;

/** Runs the pre-send check and ignores its result. */
const withoutPreSendCheck = (outbound: OutboundClient): OutboundClient => ({
  ...outbound,
  post: (request) => outbound.post({ ...request, preSendCheck: () => request.preSendCheck?.() !== undefined || true }),
});

/**
 * Delays the start of claimed deliveries until a signal (SIGUSR2), as a slow look-up of a name would. They begin before
 * the worker receives any notification from the database, so that only the pre-send check can stop them.
 */
function withDelayedStart(
  db: Database,
  outbound: OutboundClient,
  write: WriteLine,
): { db: Database; outbound: OutboundClient } {
  const posts = new Set<Promise<unknown>>();
  const go = new EventEmitter().setMaxListeners(0);
  let begun: Promise<unknown> = Promise.resolve();
  process.on('SIGUSR2', () => {
    begun = Promise.allSettled(posts).then(() => write('begun all'));
    go.emit('now');
  });
  async function post(request: OutboundRequest): Promise<OutboundResult> {
    const { pathname } = new URL(request.url);
    write(`holds ${pathname}`);
    const isOver = new AbortController();
    const stopped = new Promise<void>((resolve) => request.signal?.addEventListener('abort', resolve, { once: true }));
    await Promise.race([once(go, 'now', isOver), stopped]);
    isOver.abort();
    write(`lets ${pathname}`);
    return outbound.post(request);
  }
  async function query<Row>(statement: Sql): Promise<Row[]> {
    const rows = await db.query<Row>(statement);
    // Notifications that were sent during the suspension arrive together with the signal, and must be processed after
    // it.
    await nextTurn();
    await begun;
    return rows;
  }
  return {
    db: { ...db, query, first: firstOf(query) },
    outbound: {
      ...outbound,
      post(request) {
        const posting = post(request).finally(() => posts.delete(posting));
        posts.add(posting);
        return posting;
      },
    },
  };
}

/**
 * Longer than a worker takes to confirm a barrier, so that in-flight deliveries of other workers do not hide the fault.
 */
export const CLAIM_TAKES_MS = 200;

function withHiddenClaims(db: Database): Database {
  return {
    ...db,
    transaction: (run) =>
      db.transaction(async (tx) => {
        const send = (statement: Sql): void =>
          statement.text.includes('claims_lock') ? undefined : tx.send(statement);
        const result = await run({ ...tx, send });
        await pause(CLAIM_TAKES_MS);
        return result;
      }),
  };
}

/** The expression by which every statement judges the state of a key for a delivery. */
const KEY_STATE_TEXT = DELIVERY_KEY_STATE.text;

/** Claims through revoked keys, also if the endpoint has a valid one after them. */
function withRevokedKeys(db: Database): Database {
  const blind = (statement: Sql): Sql => ({
    ...statement,
    text: statement.text.replaceAll(KEY_STATE_TEXT, "'active'"),
    name: `${statement.name}_blind`,
  });
  return {
    ...db,
    transaction: (run) => db.transaction((tx) => run({ ...tx, query: (statement) => tx.query(blind(statement)) })),
  };
}

/** Records when the pre-send check passed and when the HTTP client wrote the header. */
function withSendLog(outbound: OutboundClient, write: WriteLine): OutboundClient {
  const permittedAtMs = new Map<string, number>();
  subscribe('undici:client:sendHeaders', (message) => {
    const { request, headers } = message as { request: { path: string }; headers: string }; // the structure of undici's message
    const id = /^slipway-delivery-id: (\S+)/m.exec(headers)?.[1] ?? '';
    const attempt = /^slipway-attempt: (\S+)/m.exec(headers)?.[1] ?? '';
    write(`sent ${request.path} ${id} ${attempt} ${permittedAtMs.get(id)} ${sharedMs()}`);
    permittedAtMs.delete(id);
  });
  return {
    ...outbound,
    post: (request) =>
      outbound.post({
        ...request,
        preSendCheck() {
          permittedAtMs.set(request.headers['slipway-delivery-id'] ?? '', sharedMs());
          return request.preSendCheck?.() ?? true;
        },
      }),
  };
}

/** Starts the dispatcher on the database, which kills its process where `death` says so. */
export function startProofDispatcher(
  database: Database,
  input: NodeOptions,
  death: CrashTrigger,
  write: WriteLine,
): ReturnType<typeof startDispatcher> {
  const { allowHosts = [], allowCidrs = [] } = input;
  const client = createOutboundClient({
    allowHosts,
    allowCidrs,
    ...(input.isDnsFlipping && { lookup: flippingLookup }),
  });
  const right = withSendLog(crashingOutbound(client, death), write);
  const faulty = input.hidesClaims ? withHiddenClaims(database) : database;
  const db = crashingDatabase(input.claimsRevokedKeys ? withRevokedKeys(faulty) : faulty, death, write);
  const outbound = input.isWithoutPermit ? withoutPreSendCheck(right) : right;
  return startDispatcher({
    environment: 'sandbox',
    ...(input.beginsLate ? withDelayedStart(db, outbound, write) : { db, outbound }),
    masterKeys: BENCH_SECRETS.masterKeys,
    log: (line) => ('error' in line ? printErrorOnce(line.error) : undefined),
  });
}
