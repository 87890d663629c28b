// Typical calls of people and programs, repeated continuously. Every unexpected response is a failure.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

export interface UpgradeSetup {
  apiUrl: string;
  consoleUrl: string;
  cookie: string;
  key: string;
  organisationId: string;
  appId: string;
  serverId: string;
  endpointId: string;
}

export interface UpgradeLoad {
  failures: string[];
  /** The number of calls of each kind. */
  counts: Map<string, number>;
  slowestMs: number;
  /** Subjects of the acknowledged tickets. */
  tickets: string[];
  /** How often a live tail ended, and how often it first asked to reconnect. */
  tails: { ended: number; withHint: number };
  /** The phase to which further calls are attributed. */
  phase: string;
  stop(): Promise<void>;
}

/** Milliseconds after a response, for each kind of call. */
const PAUSE_MS = 25;
const READERS = 3;

export function startLoad(setup: UpgradeSetup): UpgradeLoad {
  const { apiUrl, consoleUrl, key, cookie, organisationId, appId } = setup;
  const over = new AbortController();
  const load = {
    failures: [] as string[],
    counts: new Map<string, number>(),
    slowestMs: 0,
    tickets: [] as string[],
    tails: { ended: 0, withHint: 0 },
    phase: 'before',
  };
  const withKey = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const asOwner = { cookie, 'slipway-console': '1', 'content-type': 'application/json' };
  const app = `${consoleUrl}/api/sandbox/organisations/${organisationId}/apps/${appId}`;

  async function call<Body>(kind: string, url: string, expected: number, init: RequestInit): Promise<Body | undefined> {
    const begunMs = performance.now();
    load.counts.set(kind, (load.counts.get(kind) ?? 0) + 1);
    const { phase } = load;
    try {
      const answer = await fetch(url, init);
      const text = await answer.text();
      if (answer.status === expected) return (text === '' ? {} : JSON.parse(text)) as Body; // as the contract says
      load.failures.push(`${phase}: ${kind}: HTTP ${answer.status} ${text.slice(0, 300)}`);
    } catch (error) {
      const { cause } = error as Error; // an error of fetch
      load.failures.push(`${phase}: ${kind}: ${error} ${cause instanceof Error ? cause.message : ''}`);
    } finally {
      load.slowestMs = Math.max(load.slowestMs, performance.now() - begunMs);
    }
    return undefined;
  }
  const post = (kind: string, url: string, body: unknown, headers: Record<string, string>, status = 201) =>
    call<{ id: string }>(kind, url, status, { method: 'POST', headers, body: JSON.stringify(body) });

  const rounds: (() => Promise<unknown>)[] = [
    ...Array.from({ length: READERS }, () => async () => {
      await call('read of servers', `${apiUrl}/v1/servers`, 200, { headers: withKey });
      await call('read of events', `${apiUrl}/v1/events?limit=5`, 200, { headers: withKey });
    }),
    async () => {
      const subject = randomUUID();
      const headers = { ...withKey, 'idempotency-key': subject };
      const url = `${apiUrl}/v1/servers/${setup.serverId}/tickets`;
      const made = await post('mutation', url, { subject, body: 'Under load.' }, headers);
      if (!made) return;
      load.tickets.push(subject);
      const again = await post('repeated mutation', url, { subject, body: 'Under load.' }, headers);
      if (again && again.id !== made.id) load.failures.push(`${load.phase}: the same mutation was made twice`);
    },
    async () => {
      await call('session', `${consoleUrl}/api/session`, 200, { headers: asOwner });
      await call('inspector', `${app}/requests?limit=10`, 200, { headers: asOwner });
      await call('deliveries', `${app}/deliveries?limit=10`, 200, { headers: asOwner });
    },
    async () => {
      const input = { name: 'Of the load', scopes: ['servers:read'], expiresInDays: 1 };
      const made = await call<{ key: { id: string }; token: string }>('new key', `${app}/keys`, 201, {
        method: 'POST',
        headers: asOwner,
        body: JSON.stringify(input),
      });
      if (!made) return;
      const headers = { authorization: `Bearer ${made.token}` };
      await call('read with a new key', `${apiUrl}/v1/servers`, 200, { headers });
      await post('revoke', `${app}/keys/${made.key.id}/revoke`, {}, asOwner, 200);
      await call('read with a revoked key', `${apiUrl}/v1/servers`, 401, { headers });
    },
    async () => {
      const answer = await fetch(`${app}/request-tail`, { headers: asOwner, signal: over.signal });
      if (answer.status !== 200) load.failures.push(`${load.phase}: live tail: HTTP ${answer.status}`);
      const text = await answer.text();
      load.tails.ended += 1;
      if (/^retry: \d+$/m.test(text)) load.tails.withHint += 1;
    },
  ];
  const running = rounds.map(async (round) => {
    while (!over.signal.aborted) {
      await round().catch((error) => over.signal.aborted || load.failures.push(`${load.phase}: ${error}`));
      await pause(PAUSE_MS);
    }
  });
  return Object.assign(load, {
    async stop() {
      over.abort();
      await Promise.all(running);
    },
  });
}
