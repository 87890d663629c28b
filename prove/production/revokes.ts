// Access that ends during mutations, also with a suspended node. After the end was answered, each mutation must be
// refused, none may reach the upstream API, and no node may return an event about a ticket. Either the upstream API ends
// access, or a member in the Console, for the server or for tickets:create only. In the second case a later report of
// the upstream API must not restore it. The check must detect an app whose events are judged by events:read only.
//
// A process that is suspended between its last check and the write sends one mutation when it continues. Each node
// writes synchronously when a mutation had passed the pre-send check, so that such a mutation is counted apart.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fromId } from '../../server/src/kit/crypto/ids.ts';
import { REPORTED_TYPES, reportedEvent } from '../../server/test/reported-events.ts';
import { atLeast, atMost, type Check } from '../kit.ts';
import type { ProductionNode, ProductionSetup } from './setup.ts';

const WRITERS = 8;
const ANSWERED_MS = 2_100;
/** The time in which the upstream API logs mutations that were sent before the response. */
const ARRIVES_MS = 500;
const STANDS_STILL_MS = 2_000;
/** The scope of mutations, and of the resource of the observed event. */
const SCOPE = 'tickets:create';
const LOOK_AGAIN_MS = 50;

interface RevokeResult {
  tookMs: number;
  late: number;
  /** Late mutations that the suspended node had permitted before the response: it stood between pre-send check and write. */
  frozen: number;
  allowed: number;
  refused: number;
  /** True if the event was readable before access ended. */
  isShownBefore: boolean;
  /** The number of reads that returned the event after the response. */
  shown: number;
}

/** The server on which access ends, and an event about a ticket on it. */
interface ObservedTimes {
  serverId: string;
  eventId: string;
}

/** Creates tickets until it is stopped. Their subjects begin with the name of the round. */
function keepWriting(setup: ProductionSetup, serverId: string, round: string): { stop(): Promise<unknown> } {
  const over = new AbortController();
  const running = Array.from({ length: WRITERS }, async (_, index) => {
    while (!over.signal.aborted) await open(setup, setup.nodes[index % 2 === 0 ? 0 : 1], serverId, round, over.signal);
  });
  return {
    stop() {
      over.abort();
      return Promise.all(running);
    },
  };
}

/** Returns the code of a refusal, or the status. */
async function open(
  setup: ProductionSetup,
  node: ProductionNode,
  serverId: string,
  round: string,
  signal?: AbortSignal,
): Promise<string> {
  const subject = `${round} ${randomUUID()}`;
  try {
    const answer = await fetch(`${node.url}/v1/servers/${serverId}/tickets`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${setup.token}`,
        'content-type': 'application/json',
        'idempotency-key': subject,
      },
      body: JSON.stringify({ subject, body: 'Of the proof.' }),
      ...(signal && { signal }),
    });
    const { code = String(answer.status) } = (await answer.json()) as { code?: string }; // as the contract says
    return code;
  } catch {
    return 'none';
  }
}

const feedOf = (serverId: string): string => `/v1/events?serverId=${serverId}&type=${REPORTED_TYPES[SCOPE]}`;

async function read({ token }: ProductionSetup, node: ProductionNode, path: string): Promise<Response> {
  return fetch(node.url + path, { headers: { authorization: `Bearer ${token}` } });
}

/** Counts the reads of the event that return it: of the event itself, and of the feed. */
async function countShown(
  setup: ProductionSetup,
  node: ProductionNode,
  { serverId, eventId }: ObservedTimes,
): Promise<number> {
  const [event, feed] = await Promise.all(
    [`/v1/events/${eventId}`, feedOf(serverId)].map((path) => read(setup, node, path)),
  );
  const isListed = feed?.status === 200 && (await feed.text()).includes(eventId);
  return (event?.status === 200 ? 1 : 0) + (isListed ? 1 : 0);
}

/** Reports an event about a ticket on the server. Returns its id once the feed shows it. */
async function reportTicketEvent(setup: ProductionSetup, serverId: string): Promise<string> {
  const report = await setup.ingest('POST', '/events', reportedEvent(SCOPE, serverId, setup.appId));
  if (report.body.written !== 1) throw new Error(`The event of a ticket was answered ${report.status}.`);
  for (;;) {
    const feed = await read(setup, setup.nodes[0], feedOf(serverId));
    const { data = [] } = (await feed.json()) as { data?: { id: string }[] }; // as the contract says
    if (data[0]) return data[0].id;
    await pause(LOOK_AGAIN_MS);
  }
}

/** A change after which access ends, and its reversal. */
interface AccessChange {
  name: string;
  revokes: number;
  end(): Promise<void>;
  /** Follows the response, and must not restore access. */
  afterwards(): Promise<void>;
  restore(): Promise<void>;
}

async function revokeOnce(
  setup: ProductionSetup,
  observed: ObservedTimes,
  change: AccessChange,
  standsStill: boolean,
): Promise<RevokeResult> {
  const { serverId } = observed;
  const round = randomUUID();
  const [first, second] = setup.nodes;
  const isShownBefore = (await countShown(setup, second, observed)) === 2;
  const writing = keepWriting(setup, serverId, round);
  await pause(300 + Math.random() * 300);
  if (standsStill) second.run.child.kill('SIGSTOP');
  const begunMs = performance.now();
  await change.end();
  const [tookMs, endedMs] = [performance.now() - begunMs, Date.now()];
  await change.afterwards();
  const nodes = [first, ...(standsStill ? [] : [second])].flatMap((node) => [1, 2, 3].map(() => node));
  const codes = await Promise.all(nodes.map((node) => open(setup, node, serverId, round)));
  let shown = await countShown(setup, first, observed);
  if (standsStill) {
    await pause(STANDS_STILL_MS);
    second.run.child.kill('SIGCONT');
  }
  codes.push(...(await Promise.all([1, 2, 3].map(() => open(setup, second, serverId, round)))));
  shown += await countShown(setup, second, observed);
  await pause(ARRIVES_MS);
  await writing.stop();
  const after = setup.upstream
    .reached()
    .filter(({ subject, atMs }) => subject.startsWith(round) && atMs > endedMs + ARRIVES_MS);
  const permitted = new Map(second.permitted().map(({ key, atMs }) => [key, atMs]));
  const frozen = after.filter(({ key }) => standsStill && (permitted.get(key) ?? endedMs) < endedMs).length;
  await change.restore();
  const refused = codes.filter((code) => code.startsWith('installation_')).length;
  const allowed = codes.filter((code) => code === '201').length;
  return { tookMs, late: after.length - frozen, frozen, allowed, refused, isShownBefore, shown };
}

function judge(name: string, results: readonly RevokeResult[]): Check[] {
  const sum = (of: (one: RevokeResult) => number): number => results.reduce((all, one) => all + of(one), 0);
  return [
    atMost(
      `${name}: forwarded after the response to the revocation`,
      sum(({ late }) => late),
      0,
      'mutations',
    ),
    {
      name: `${name}: forwarded by a node that stood between its last check and the write`,
      ok: results.every(({ frozen }) => frozen <= 1),
      figure: `${sum(({ frozen }) => frozen)} mutations (at most one for each revocation)`,
    },
    atMost(
      `${name}: allowed after the response to the revocation`,
      sum(({ allowed }) => allowed),
      0,
      `next to ${sum(({ refused }) => refused)} refused`,
    ),
    atMost(
      `${name}: events returned after the response to the revocation`,
      sum(({ shown }) => shown),
      0,
      'reads',
    ),
    {
      name: `${name}: event readable before`,
      ok: results.every(({ isShownBefore }) => isShownBefore),
      figure: `${results.filter(({ isShownBefore }) => isShownBefore).length} of ${results.length}`,
    },
    {
      name: `${name}: refused`,
      ok: results.every(({ refused }) => refused > 0),
      figure: `${sum(({ refused }) => refused)}`,
    },
    atMost(`${name}: answered`, Math.max(...results.map(({ tookMs }) => tookMs)), ANSWERED_MS, 'ms'),
  ];
}

export async function watchRevokes(setup: ProductionSetup, revokes: number): Promise<Check[]> {
  const [, serverId = ''] = setup.upstream.serverIds;
  const changes: AccessChange[] = [
    {
      name: 'statements that pause',
      revokes,
      end: () => setup.allow(serverId, 'paused'),
      afterwards: async () => {},
      restore: () => setup.allow(serverId, 'authorised'),
    },
    ...([undefined, SCOPE] as const).flatMap((scope) =>
      (['paused', 'revoked'] as const).map((state) => ({
        name: `${scope === undefined ? 'servers' : `scopes ${scope}`} ${state} in the Console`,
        revokes: Math.ceil(revokes / (scope === undefined ? 2 : 4)),
        end: () => setup.restrict(serverId, state, scope),
        afterwards: () => setup.allow(serverId, 'authorised'),
        restore: () => setup.restrict(serverId, 'authorised', scope),
      })),
    ),
  ];
  const observed = { serverId, eventId: await reportTicketEvent(setup, serverId) };
  await setup.upstream.be('slow');
  const checks: Check[] = [];
  for (const change of changes) {
    const [running, still]: [RevokeResult[], RevokeResult[]] = [[], []];
    for (let revoke = 0; revoke < change.revokes; revoke++) {
      running.push(await revokeOnce(setup, observed, change, false));
      still.push(await revokeOnce(setup, observed, change, true));
    }
    const name = `${change.revokes} ${change.name}`;
    checks.push(...judge(name, running), ...judge(`${name} while a node is suspended`, still));
  }
  const ofScope = changes.at(-1);
  if (ofScope) {
    await judgeByEventsReadOnly(setup);
    const { shown } = await revokeOnce(setup, observed, ofScope, false);
    checks.push(atLeast('detected: an app whose events are judged by events:read only', shown, 1, 'reads'));
  }
  const permitted = new Set(setup.nodes.flatMap((node) => node.permitted().map(({ key }) => key)));
  const unknown = setup.upstream.reached().filter(({ key }) => !permitted.has(key));
  checks.push(atMost('mutations that no node permitted', unknown.length, 0, `of ${setup.upstream.reached().length}`));
  await setup.upstream.be('honest');
  return checks;
}

/** Makes production wrong: it judges each event of the app by events:read only. */
const judgeByEventsReadOnly = ({ postgres, appId }: ProductionSetup): Promise<unknown> =>
  postgres.query(
    `set session_replication_role = replica;
    update apps set enforces_event_scopes = false where app_id = '${fromId('app', appId)}'`,
    'slipway_production',
  );
