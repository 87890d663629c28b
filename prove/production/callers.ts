// Who calls production during the proof: readers, and writers who repeat each mutation under its key until they know how it ended. What no
// caller may ever be told is noted.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CANARY } from '../../server/test/lies.fixture.ts';
import type { Ground } from './ground.ts';

/** Ten seconds for the platform, what is waited for before and after it, and a busy machine. */
const ANSWERED_WITHIN_MS = 14_000;
/** A mutation whose node was killed is asked for again after fifteen seconds. */
const ENDS_WITHIN_MS = 120_000;
const REPEAT_AFTER_MS = 200;
const AT_ONCE_MS = 700;

/** What a read may be answered while the platform fails, or the database. */
const OF_READS = ['200', '502 upstream_invalid', '503 unavailable', '504 timeout'];
const OF_MUTATIONS = ['201', '409 idempotency_in_progress', ...OF_READS.slice(1)];

export interface Callers {
  /** What should not have been answered. */
  wrong: string[];
  /** How often what was answered. */
  answers: Map<string, number>;
  slowestMs: number;
  /** By the subject of each mutation that ended: the ticket it made. */
  made: Map<string, string>;
  /** How many have begun and not ended. */
  open(): number;
  /** What repeats were told at once, of mutations whose end nobody knew. */
  unknown: string[];
  stop(): Promise<void>;
}

export function startCallers(ground: Ground, serverId: string, count: { readers: number; writers: number }): Callers {
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
  const authorization = `Bearer ${ground.token}`;

  /** As `status code`, or `none` where the connection broke. */
  async function call(path: string, allowed: readonly string[], init: RequestInit = {}) {
    const node = ground.nodes[Math.random() < 0.5 ? 0 : 1];
    const begunMs = performance.now();
    try {
      const headers = { authorization, 'content-type': 'application/json', ...init.headers };
      const answer = await fetch(node.url + path, { ...init, headers });
      const text = await answer.text();
      const body: Record<string, unknown> = JSON.parse(text);
      const told = `${answer.status}${answer.ok ? '' : ` ${body.code}`}`;
      if (!allowed.includes(told)) callers.wrong.push(`${path}: ${told}`);
      if (text.includes(CANARY)) callers.wrong.push(`${path}: the words of the platform`);
      callers.answers.set(told, (callers.answers.get(told) ?? 0) + 1);
      callers.slowestMs = Math.max(callers.slowestMs, performance.now() - begunMs);
      return { told, body };
    } catch {
      callers.answers.set('none', (callers.answers.get('none') ?? 0) + 1); // its node was killed
      return { told: 'none', body: {} };
    }
  }

  async function read(): Promise<void> {
    const { told, body } = await call(`/v1/servers/${serverId}`, OF_READS);
    if (told === '200' && body.id !== serverId) callers.wrong.push('another server');
    await pause(20);
  }

  async function write(): Promise<void> {
    const subject = randomUUID();
    const init = {
      method: 'POST',
      headers: { 'idempotency-key': subject },
      body: JSON.stringify({ subject, body: 'Of the proof.' }),
    };
    const repeat = () => call(`/v1/servers/${serverId}/tickets`, OF_MUTATIONS, init);
    const givenUpMs = performance.now() + ENDS_WITHIN_MS;
    for (;;) {
      const { told, body } = await repeat();
      if (told === '201') {
        if (body.subject !== subject) callers.wrong.push('another ticket');
        callers.made.set(subject, String(body.id));
        return;
      }
      if (told.startsWith('504') || told.startsWith('502')) {
        const sinceMs = performance.now();
        const again = await repeat();
        // One that was answered later than that may have been sent.
        if (performance.now() - sinceMs < AT_ONCE_MS) callers.unknown.push(again.told);
      }
      if (performance.now() > givenUpMs) return void callers.wrong.push(`${subject} never ended`);
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

/** Asks for each once more, under its key: those that are another ticket then, or never one. */
export async function askAgain(ground: Ground, serverId: string, made: ReadonlyMap<string, string>): Promise<string[]> {
  const left = [...made];
  const wrong: string[] = [];
  async function repeat([subject, id]: [string, string]): Promise<void> {
    const givenUpMs = performance.now() + ENDS_WITHIN_MS;
    for (;;) {
      const answer = await fetch(`${ground.nodes[1].url}/v1/servers/${serverId}/tickets`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${ground.token}`,
          'content-type': 'application/json',
          'idempotency-key': subject,
        },
        body: JSON.stringify({ subject, body: 'Of the proof.' }),
      });
      const { id: given } = (await answer.json()) as { id?: string }; // as the contract says
      if (answer.status === 201 && given === id) return;
      // Its answer could not be kept, because the database was away: it is asked for once more, in its time.
      const mayWait = answer.status >= 409 && performance.now() < givenUpMs;
      if (!mayWait) return void wrong.push(`${subject}: ${answer.status} ${given}`);
      await pause(REPEAT_AFTER_MS);
    }
  }
  const running = Array.from({ length: 20 }, async () => {
    for (let next = left.pop(); next; next = left.pop()) await repeat(next);
  });
  await Promise.all(running);
  return wrong;
}
