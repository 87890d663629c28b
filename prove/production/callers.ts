// The callers of production during the proof: readers, and writers that repeat each mutation under its key until its
// outcome is known. Responses that no caller may ever get are recorded.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CANARY } from '../../server/test/invalid-upstream-responses.fixture.ts';

/** Ten seconds for the upstream API, the waits before and after it, and a reserve for a busy machine. */
const ANSWERED_WITHIN_MS = 14_000;
/** A mutation whose node was killed may be repeated after fifteen seconds. */
const ENDS_WITHIN_MS = 120_000;
const REPEAT_AFTER_MS = 200;
const AT_ONCE_MS = 700;

/** The permitted responses to a read while the upstream API or the database fails. */
const PERMITTED_READ_RESPONSES = ['200', '502 upstream_invalid', '503 unavailable', '504 timeout'];
const PERMITTED_MUTATION_RESPONSES = ['201', '409 idempotency_in_progress', ...PERMITTED_READ_RESPONSES.slice(1)];

/** The nodes that are called, and the key. */
export interface CalledNodes {
  nodes: readonly [{ url: string }, { url: string }];
  token: string;
}

export interface ProductionCallers {
  /** Responses that were not permitted. */
  wrong: string[];
  /** The number of each response. */
  answers: Map<string, number>;
  slowestMs: number;
  /** The created ticket by the subject of each completed mutation. */
  made: Map<string, string>;
  /** Returns the number of mutations that have begun and not ended. */
  open(): number;
  /** The immediate responses to repeats of mutations with an unknown outcome. */
  unknown: string[];
  stop(): Promise<void>;
}

export function startCallers(
  setup: CalledNodes,
  serverId: string,
  count: { readers: number; writers: number },
): ProductionCallers {
  let isOver = false;
  let open = 0;
  const callers = {
    wrong: [] as string[],
    answers: new Map<string, number>(),
    slowestMs: 0,
    made: new Map<string, string>(),
    unknown: [] as string[],
    open: () => open,
  };
  const authorization = `Bearer ${setup.token}`;

  /** Calls production. Returns `status code`, or `none` if the connection broke. */
  async function call(path: string, allowed: readonly string[], init: RequestInit = {}) {
    const node = setup.nodes[Math.random() < 0.5 ? 0 : 1];
    const begunMs = performance.now();
    try {
      const headers = { authorization, 'content-type': 'application/json', ...init.headers };
      const answer = await fetch(node.url + path, { ...init, headers });
      const text = await answer.text();
      const body: Record<string, unknown> = JSON.parse(text);
      const outcome = `${answer.status}${answer.ok ? '' : ` ${body.code}`}`;
      if (!allowed.includes(outcome)) callers.wrong.push(`${path}: ${outcome}`);
      if (text.includes(CANARY)) callers.wrong.push(`${path}: text of the upstream API`);
      callers.answers.set(outcome, (callers.answers.get(outcome) ?? 0) + 1);
      callers.slowestMs = Math.max(callers.slowestMs, performance.now() - begunMs);
      return { outcome, body };
    } catch {
      callers.answers.set('none', (callers.answers.get('none') ?? 0) + 1); // its node was killed
      return { outcome: 'none', body: {} };
    }
  }

  async function read(): Promise<void> {
    const { outcome, body } = await call(`/v1/servers/${serverId}`, PERMITTED_READ_RESPONSES);
    if (outcome === '200' && body.id !== serverId) callers.wrong.push('another server');
    await pause(20);
  }

  async function write(): Promise<void> {
    const subject = randomUUID();
    const init = {
      method: 'POST',
      headers: { 'idempotency-key': subject },
      body: JSON.stringify({ subject, body: 'Of the proof.' }),
    };
    const repeat = () => call(`/v1/servers/${serverId}/tickets`, PERMITTED_MUTATION_RESPONSES, init);
    const givenUpMs = performance.now() + ENDS_WITHIN_MS;
    for (;;) {
      const { outcome, body } = await repeat();
      if (outcome === '201') {
        if (body.subject !== subject) callers.wrong.push('another ticket');
        callers.made.set(subject, String(body.id));
        return;
      }
      if (outcome.startsWith('504') || outcome.startsWith('502')) {
        const sinceMs = performance.now();
        const again = await repeat();
        // A later response may mean that the repeat was sent.
        if (performance.now() - sinceMs < AT_ONCE_MS) callers.unknown.push(again.outcome);
      }
      if (performance.now() > givenUpMs) return void callers.wrong.push(`${subject} did not end`);
      await pause(REPEAT_AFTER_MS);
    }
  }

  const running = [...Array<() => Promise<void>>(count.readers).fill(read)].map(async (one) => {
    while (!isOver) await one();
  });
  const writing = [...Array<() => Promise<void>>(count.writers).fill(write)].map(async (one) => {
    while (!isOver) {
      open += 1;
      await one().finally(() => {
        open -= 1;
      });
    }
  });
  return Object.assign(callers, {
    async stop() {
      isOver = true;
      await Promise.all([...running, ...writing]);
      if (callers.slowestMs > ANSWERED_WITHIN_MS) callers.wrong.push(`answered after ${callers.slowestMs} ms`);
    },
  });
}

/** Repeats each mutation under its key. Returns those with another ticket than before, or without an end. */
export async function repeatMutations(
  setup: CalledNodes,
  serverId: string,
  made: ReadonlyMap<string, string>,
): Promise<string[]> {
  const remaining = [...made];
  const wrong: string[] = [];
  async function repeat([subject, id]: [string, string]): Promise<void> {
    const givenUpMs = performance.now() + ENDS_WITHIN_MS;
    for (;;) {
      const answer = await fetch(`${setup.nodes[1].url}/v1/servers/${serverId}/tickets`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${setup.token}`,
          'content-type': 'application/json',
          'idempotency-key': subject,
        },
        body: JSON.stringify({ subject, body: 'Of the proof.' }),
      });
      const { id: ticketId } = (await answer.json()) as { id?: string }; // as the contract says
      if (answer.status === 201 && ticketId === id) return;
      // The response could not be stored, because the database was unreachable. The mutation is sent again after its
      // lease.
      const mayWait = answer.status >= 409 && performance.now() < givenUpMs;
      if (!mayWait) return void wrong.push(`${subject}: ${answer.status} ${ticketId}`);
      await pause(REPEAT_AFTER_MS);
    }
  }
  const running = Array.from({ length: 20 }, async () => {
    for (let next = remaining.pop(); next; next = remaining.pop()) await repeat(next);
  });
  await Promise.all(running);
  return wrong;
}
