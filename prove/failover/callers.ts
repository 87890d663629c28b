// Callers of all nodes without end: reads with a valid key, reads with revoked keys, tickets, revocations, and questions
// about readiness. They record every answer in the ledger of the current round.
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { BENCH_SECRETS } from '../../bench/secrets.ts';
import { signAssertion } from '../../server/src/access/authority/index.ts';
import { newUuid, toId } from '../../server/src/kit/crypto/ids.ts';
import type { Receiver } from '../webhooks/receiver.ts';
import type { App } from '../webhooks/setup.ts';
import { type CallKind, DIRECT, type KeyToRevoke, Ledger, type RevokedCall } from './ledger.ts';
import type { FailoverService } from './service.ts';

const TIMEOUT_MS = 3_000;
const READ_EVERY_MS = 25;
const WRITE_EVERY_MS = 60;
const REVOKE_EVERY_MS = 250;
const ASK_EVERY_MS = 250;
/** Each node is asked with the keys that were revoked last. */
const LAST_REVOKED = 12;

export interface Callers {
  /** Begins a round: a new ledger, and the keys that may be revoked in it. */
  begin(keys: readonly KeyToRevoke[]): Ledger;
  /** Revokes these keys of the round next. */
  revokeNext(keys: readonly KeyToRevoke[]): void;
  stop(): Promise<void>;
}

interface Answer {
  status: number;
  text: string;
  requestId: string;
}

const isUnavailable = ({ status }: Answer): boolean => status === 503 || status === 504;

/** Returns the outcome of a request with a revoked key; undefined for an answer that no revoked key may get. */
function outcomeOf(answer: Answer): RevokedCall['outcome'] | undefined {
  if (answer.status < 300) return 'accepted';
  if (isUnavailable(answer)) return 'unavailable';
  return answer.status === 401 ? 'refused' : undefined;
}

export function startCallers(service: FailoverService, app: App, receiver: Receiver): Callers {
  const dispatcher = new Agent({
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    connect: { timeout: TIMEOUT_MS },
  });
  let ledger = new Ledger();
  let keys: KeyToRevoke[] = [];
  let isStopped = false;

  /** Returns undefined if no whole answer came. */
  async function send(
    method: 'GET' | 'POST',
    url: string,
    bearer: string | undefined,
    { body, idempotencyKey }: { body?: object; idempotencyKey?: string } = {},
  ): Promise<Answer | undefined> {
    try {
      const answer = await request(url, {
        dispatcher,
        method,
        headers: {
          ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
          ...(body && { 'content-type': 'application/json' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.body.text();
      return { status: answer.statusCode, text, requestId: String(answer.headers['request-id']) };
    } catch {
      return undefined;
    }
  }

  /** Sends a call whose time counts. Returns its answer unless the service was unavailable. */
  async function time(
    name: string,
    kind: CallKind,
    call: () => Promise<Answer | undefined>,
  ): Promise<Answer | undefined> {
    const { calls } = ledger;
    const beganMs = performance.now();
    const answer = await call();
    const isAnswered = answer !== undefined && !isUnavailable(answer);
    // A repeat that finds its first request in progress says nothing about the recovery.
    if (answer?.status !== 409) calls.push({ name, kind, beganMs, endedMs: performance.now(), isAnswered });
    return isAnswered ? answer : undefined;
  }

  async function read(name: string, url: string): Promise<void> {
    const current = ledger;
    const answer = await time(name, 'read', () => send('GET', `${url}/v1/me`, app.token));
    if (answer?.status === 200) current.requestIds.push(answer.requestId);
    else if (answer) current.strange.push(`${name} answered a read with ${answer.status} ${answer.text}`);
  }

  async function readRevoked(name: string, url: string, turn: number): Promise<void> {
    const current = ledger;
    const last = current.revoked.slice(-LAST_REVOKED);
    const key = last[turn % last.length];
    if (!key) return;
    const beganMs = performance.now();
    const answer = await send('GET', `${url}/v1/me`, key.token);
    if (!answer) return;
    const outcome = outcomeOf(answer);
    if (outcome) current.revokedCalls.push({ name, beganMs, afterMs: beganMs - key.answeredMs, outcome });
    else current.strange.push(`${name} answered a revoked key with ${answer.status} ${answer.text}`);
  }

  /** Creates a ticket under one idempotency key until it is acknowledged by any answer of the node. */
  async function write(name: string, urlOf: () => string | undefined): Promise<void> {
    const current = ledger;
    const idempotencyKey = newUuid();
    const body = { subject: `Ticket ${idempotencyKey}`, body: 'Written during a failover.' };
    const path = `/v1/servers/${toId('srv', app.serverId)}/tickets`;
    while (!isStopped && current === ledger) {
      const url = urlOf();
      const answer =
        url === undefined
          ? undefined
          : await time(name, 'write', () => send('POST', url + path, app.token, { body, idempotencyKey }));
      if (answer?.status === 201) {
        current.tickets.push({ id: JSON.parse(answer.text).id, subject: body.subject });
        current.requestIds.push(answer.requestId);
        return;
      }
      if (answer?.status === 409) current.requestIds.push(answer.requestId);
      else if (answer) current.strange.push(`${name} answered a ticket with ${answer.status} ${answer.text}`);
      await pause(READ_EVERY_MS);
    }
  }

  async function revoke(managementUrl: string): Promise<void> {
    const current = ledger;
    const key = keys.shift();
    if (!key) return;
    const { organisationId, appId } = app;
    const actor = {
      kind: 'person',
      personId: 'prover',
      name: 'prover@example.org',
      address: null,
      organisationId,
      role: 'owner',
    } as const;
    const path = `/organisations/${toId('org', organisationId)}/apps/${toId('app', appId)}/keys/${toId('key', key.id)}/revoke`;
    while (!isStopped && current === ledger) {
      const bearer = await signAssertion(actor, 'sandbox', BENCH_SECRETS.managementKey);
      const answer = await send('POST', managementUrl + path, bearer);
      if (answer && answer.status < 300) {
        const answeredMs = performance.now();
        await receiver.settle();
        current.revoked.push({ ...key, answeredMs, arrivals: receiver.arrivals.length });
        return;
      }
      if (answer && !isUnavailable(answer)) {
        current.strange.push(`a revocation was answered with ${answer.status} ${answer.text}`);
        return;
      }
      await pause(READ_EVERY_MS);
    }
  }

  async function repeat(everyMs: number, call: (turn: number) => Promise<void>): Promise<void> {
    for (let turn = 0; !isStopped; turn++) {
      await call(turn);
      await pause(everyMs);
    }
  }

  const targets = [
    ...service.nodes.map(({ name, url }) => ({ name, urlOf: (): string | undefined => url })),
    { name: DIRECT, urlOf: service.directUrl },
  ];
  const running = [
    ...targets.flatMap(({ name, urlOf }) => {
      const withUrl = (call: (url: string, turn: number) => Promise<void>) => async (turn: number) => {
        const url = urlOf();
        if (url !== undefined) await call(url, turn);
      };
      return [
        repeat(
          READ_EVERY_MS,
          withUrl((url) => read(name, url)),
        ),
        repeat(
          READ_EVERY_MS,
          withUrl((url, turn) => readRevoked(name, url, turn)),
        ),
        repeat(WRITE_EVERY_MS, () => write(name, urlOf)),
      ];
    }),
    ...service.nodes.map(({ managementUrl }) => repeat(REVOKE_EVERY_MS, () => revoke(managementUrl))),
    ...service.processes.map(({ name, monitoringUrl }) =>
      repeat(ASK_EVERY_MS, async () => {
        await time(name, 'readiness', () => send('GET', `${monitoringUrl}/readyz`, undefined));
      }),
    ),
  ];

  return {
    begin(fresh) {
      ledger = new Ledger();
      keys = [...fresh];
      return ledger;
    },
    revokeNext: (next) => void keys.unshift(...next),
    async stop() {
      isStopped = true;
      await Promise.all(running);
      await dispatcher.destroy();
    },
  };
}
