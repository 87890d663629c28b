// Applies simulated faults between authentication and the operation: the fault that a call requests, or the one of a
// rule of its app. A production plane never has a simulation.
import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type ApiCaller, createTenantReader, isRefusal, type Plane, refusal } from '../../access/authority/index.ts';
import { exampleProblem } from '../../access/problems/index.ts';
import { randomShare } from '../../kit/crypto/ids.ts';
import { microsecondsSince } from '../../kit/flow/clock.ts';
import { exampleGoneHeaders } from '../../kit/http/deprecation.ts';
import type { AnsweredRequest, Interception, Interceptor } from '../../kit/http/mount.ts';
import type { Exchange } from '../../kit/http/operation.ts';
import { type ProblemCode, type ProblemError, problem } from '../../kit/openapi/problems.ts';
import { createDelayLimiter } from './delay-limiter.ts';
import { drawEffect, type Effect, effectText, type FaultRule, toRule } from './fault.ts';
import { parseSimulate, SIMULATE_HEADER, SIMULATED_HEADER } from './sandbox-simulate.ts';
import { listRules } from './store.ts';

export interface Simulation {
  simulate: Interceptor;
  /** Ends the latencies that are in progress. */
  endWaits(): void;
}

const MAX_WAITS = { perApp: 100, total: 1_000 };
const MAX_KNOWN_APPS = 1_000;

interface KnownRules {
  cacheEpoch: string;
  revision: number;
  rules: readonly FaultRule[];
}

/** Creates the simulation. `record` records a call without a response: a connection that is reset. */
export function createSimulation(
  plane: Pick<Plane, 'db' | 'urls'>,
  record: (answered: AnsweredRequest) => Promise<unknown>,
): Simulation {
  const waits = createDelayLimiter(MAX_WAITS);
  const known = new LRUCache<string, KnownRules>({ max: MAX_KNOWN_APPS });

  async function loadRules(caller: ApiCaller): Promise<readonly FaultRule[]> {
    const { revision, rows } = await listRules(createTenantReader(plane.db.api, caller.appId));
    const rules = rows.map(toRule);
    known.set(caller.appId, { cacheEpoch: caller.cacheEpoch, revision, rules });
    return rules;
  }

  async function perform(effect: Effect, caller: ApiCaller, ...call: Parameters<Interceptor>): Promise<Interception> {
    const [request, reply, operation] = call;
    if (effect.latencyMs !== undefined && !(await waits.wait(caller.appId, effect.latencyMs, reply.raw))) {
      throw problem('rate_limited', {
        detail: 'Too many simulated latencies are pending.',
        headers: { 'retry-after': '1' },
      });
    }
    const { exchange } = request;
    exchange.simulated = effectText(effect);
    reply.header(SIMULATED_HEADER, exchange.simulated);
    if (effect.code === 'rate_limited') exchange.headers = withExhaustedRateLimit(exchange.headers);
    if (effect.code !== undefined) throw toSimulatedProblem(effect.code, operation.access.scope, plane.urls.public);
    if (!effect.reset) return 'delayed';
    reply.hijack();
    const durationUs = microsecondsSince(exchange.startedAtMs);
    const pathWords = new Set<string>(); // unused: the operation has the path
    await record({ request, exchange, status: null, responseBytes: 0, durationUs, problem: undefined, pathWords });
    resetConnection(request, reply);
    return 'answered';
  }

  return {
    async simulate(request, reply, operation) {
      const caller = request.exchange.principal as ApiCaller | undefined; // set only by authority, on this plane's server
      if (!caller) return 'untouched';
      const header = request.headers[SIMULATE_HEADER.toLowerCase()];
      if (header !== undefined) return perform(parseSimulate(String(header)), caller, request, reply, operation);
      const { faults: revision } = caller.revisions;
      if (revision === 0) return 'untouched';
      const knownRules = known.get(caller.appId);
      const isFresh = knownRules?.cacheEpoch === caller.cacheEpoch && knownRules.revision >= revision;
      const effect = drawEffect(isFresh ? knownRules.rules : await loadRules(caller), operation.id, randomShare);
      if (effect) return perform(effect, caller, request, reply, operation);
      return isFresh ? 'untouched' : 'delayed';
    },
    endWaits: () => waits.endAll(),
  };
}

// Fails a call inside the process in the same way, although it has no connection.
function resetConnection({ raw: { socket } }: FastifyRequest, reply: FastifyReply): void {
  if (socket instanceof Socket) socket.resetAndDestroy();
  else reply.raw.destroy();
}

// A caller above the rate has nothing left, and must wait for the whole window.
function withExhaustedRateLimit(headers: Exchange['headers']): Exchange['headers'] {
  const window = /;w=(\d+)/.exec(headers?.['ratelimit-policy'] ?? '')?.[1];
  return window === undefined ? headers : { ...headers, ratelimit: `"key";r=0;t=${window}` };
}

/** Returns the problem in its real form. */
function toSimulatedProblem(code: ProblemCode, scope: string | undefined, publicUrl: string): ProblemError {
  if (isRefusal(code)) return refusal(code, scope);
  return exampleProblem(code, code === 'gone' ? exampleGoneHeaders(`${publicUrl}/deprecations`) : {});
}
