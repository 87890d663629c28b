// Access that ends during mutations, also with a suspended node. After the end was answered, each mutation must be
// refused, and none may reach the upstream API. Either the upstream API ends access, or a member in the Console. In the
// second case a later report of the upstream API must not restore it.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { atMost, type Check } from '../kit.ts';
import type { ApiNode, ProductionSetup } from './setup.ts';

const WRITERS = 8;
const ANSWERED_MS = 2_100;
/** The time in which the upstream API logs mutations that were sent before the response. */
const ARRIVES_MS = 500;
const STANDS_STILL_MS = 2_000;

interface RevokeResult {
  tookMs: number;
  late: number;
  allowed: number;
  refused: number;
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
  node: ApiNode,
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
  serverId: string,
  change: AccessChange,
  standsStill: boolean,
): Promise<RevokeResult> {
  const round = randomUUID();
  const [first, second] = setup.nodes;
  const writing = keepWriting(setup, serverId, round);
  await pause(300 + Math.random() * 300);
  if (standsStill) second.run.child.kill('SIGSTOP');
  const begunMs = performance.now();
  await change.end();
  const [tookMs, endedMs] = [performance.now() - begunMs, Date.now()];
  await change.afterwards();
  const nodes = [first, ...(standsStill ? [] : [second])].flatMap((node) => [1, 2, 3].map(() => node));
  const codes = await Promise.all(nodes.map((node) => open(setup, node, serverId, round)));
  if (standsStill) {
    await pause(STANDS_STILL_MS);
    second.run.child.kill('SIGCONT');
  }
  codes.push(...(await Promise.all([1, 2, 3].map(() => open(setup, second, serverId, round)))));
  await pause(ARRIVES_MS);
  await writing.stop();
  const late = setup.upstream
    .reached()
    .filter(({ subject, atMs }) => subject.startsWith(round) && atMs > endedMs + ARRIVES_MS);
  await change.restore();
  const refused = codes.filter((code) => code.startsWith('installation_')).length;
  return { tookMs, late: late.length, allowed: codes.filter((code) => code === '201').length, refused };
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
    atMost(
      `${name}: allowed after the response to the revocation`,
      sum(({ allowed }) => allowed),
      0,
      `next to ${sum(({ refused }) => refused)} refused`,
    ),
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
    ...(['paused', 'revoked'] as const).map((state) => ({
      name: `servers ${state} in the Console`,
      revokes: Math.ceil(revokes / 2),
      end: () => setup.restrict(serverId, state),
      afterwards: () => setup.allow(serverId, 'authorised'),
      restore: () => setup.restrict(serverId, 'authorised'),
    })),
  ];
  await setup.upstream.be('slow');
  const checks: Check[] = [];
  for (const change of changes) {
    const [running, still]: [RevokeResult[], RevokeResult[]] = [[], []];
    for (let revoke = 0; revoke < change.revokes; revoke++) {
      running.push(await revokeOnce(setup, serverId, change, false));
      still.push(await revokeOnce(setup, serverId, change, true));
    }
    const name = `${change.revokes} ${change.name}`;
    checks.push(...judge(name, running), ...judge(`${name} while a node is suspended`, still));
  }
  await setup.upstream.be('honest');
  return checks;
}
