// The access that a /v1 operation can require of its caller, and the context that the operation receives.
import type { Access, AnyOperation, Incoming, Inputs, Reply } from '../../kit/http/operation.ts';
import type { CacheablePage } from '../../kit/http/page.ts';
import { type ProblemCode, problem } from '../../kit/openapi/problems.ts';
import { traceWork } from '../../kit/telemetry/trace.ts';
import { lockAccess } from './access-lock-store.ts';
import { enforceRules, GRANT_RULES, KEY_RULES, SCOPE_RULES } from './access-rules.ts';
import type { ApiCaller } from './authority.ts';
import { findAccess, findGrant, type GrantRow } from './grant-store.ts';
import { claimIdempotencyKey, IdempotencyKey, replayOrRun, type TakeReplyRow } from './idempotency.ts';
import type { EventPort, Plane } from './plane.ts';
import type { Scope } from './scopes.ts';
import {
  type Collection,
  type MutationWriter,
  revisionOf,
  type Tenant,
  type TenantReader,
  type TenantWriter,
} from './store.ts';
import { createTenantReader } from './tenant-store.ts';

const KEY_PROBLEMS: readonly ProblemCode[] = [
  'missing_key',
  'invalid_key',
  'expired_key',
  'revoked_key',
  'wrong_environment',
  'app_suspended',
  'address_not_allowed',
  'browser_use',
  'rate_limited',
  'unavailable',
  'timeout',
];
const GRANT_PROBLEMS: readonly ProblemCode[] = [
  'not_found',
  'scope_not_authorised',
  'installation_paused',
  'installation_revoked',
];

export interface ReadContext {
  plane: Plane;
  caller: ApiCaller;
  request: AdmittedRequest;
  read<T>(run: (tenant: Tenant) => Promise<T>): Promise<T>;
  /**
   * Returns a page of a collection. The page comes from the cache if it is as fresh as the authority batch of this
   * request.
   */
  page(collection: Collection, load: (tenant: Tenant) => Promise<CacheablePage>): Promise<Reply>;
}

export interface WriteContext<Prepared = undefined> {
  plane: Plane;
  caller: ApiCaller;
  requestId: string;
  /** The header `Accept` of the request. */
  accept: Incoming['headers'][string];
  /** The server whose grants permit the mutation. */
  serverId: string;
  /** The app's part of a transaction. The access was read in this transaction and is locked until it ends. */
  tenant: MutationWriter;
  /** The result of `prepare`, read immediately after the access was locked; undefined without `prepare`. */
  prepared: Prepared;
  /** The database's time at which the access was checked. */
  now: Date;
  /** The caller must write the row that it takes. */
  takeReplyRow: TakeReplyRow;
}

/** Requires any valid key. */
export function allowAnyKey(): Access<Plane, ApiCaller, ReadContext> {
  return {
    security: 'key',
    summary: 'Any valid key.',
    problems: KEY_PROBLEMS,
    headers: ['RateLimit', 'RateLimit-Policy'],
    admit: (incoming, plane) => plane.authority.authenticate(incoming),
    enter: (caller, request, plane, run) => run(readContext(plane, caller, request)),
  };
}

interface ReadOptions {
  /** Scopes that the key also needs. */
  further?: readonly Scope[];
  /**
   * True if `run` judges the grant of a server with `requireGrant`: the contract then lists the problems of a grant. The
   * option checks nothing, because only `run` finds the server, and judges it after it has read the revision.
   */
  runRequiresGrant?: boolean;
}

/** Requires a valid key with the scope, for an operation that reads. */
export function allowKeyRead(
  scope: Scope,
  { further = [], runRequiresGrant = false }: ReadOptions = {},
): Access<Plane, ApiCaller, ReadContext> {
  return {
    ...allowAnyKey(),
    scope,
    ...(further.length > 0 && { furtherScopes: further }),
    summary: `A key with ${quoteScopes([scope, ...further])}.`,
    problems: [...KEY_PROBLEMS, 'missing_scope', ...(runRequiresGrant ? GRANT_PROBLEMS : [])],
    async admit(incoming, plane) {
      const caller = await plane.authority.authenticate(incoming);
      for (const one of [scope, ...further]) enforceRules(SCOPE_RULES, caller.scopes, one);
      return caller;
    },
  };
}

const quoteScopes = (scopes: readonly Scope[]): string => scopes.map((scope) => `\`${scope}\``).join(' and ');

interface WriteOptions<Prepared> {
  /** Scopes that the key and the server also need. */
  further?: readonly Scope[];
  /** True if the mutation locks rows for which another one can wait, so that it must run alone in a transaction. */
  isAlone?: boolean;
  /** Returns the server whose grants must permit the mutation; undefined if the request names no existing object. */
  serverOf(tenant: TenantReader, ids: Inputs['ids'], inputs: Inputs): Promise<string | undefined>;
  /** Reads what the mutation needs, in the round trip that checks its access, after the locks. */
  prepare?(
    tenant: MutationWriter,
    target: { serverId: string; ids: Inputs['ids'] },
    plane: EventPort,
  ): Promise<Prepared>;
}

/**
 * Requires a valid key with the scope, for a mutation on the server that `serverOf` returns. The mutation's own
 * transaction locks key, app, installation and scope and then reads them again, so that nothing is written after a
 * revocation was answered.
 */
export function allowKeyWriteOnServer<Prepared = undefined>(
  scope: Scope,
  { further = [], isAlone = false, serverOf, prepare }: WriteOptions<Prepared>,
): Access<Plane, ApiCaller, WriteContext<Prepared>> {
  return {
    ...allowKeyRead(scope, { further }),
    summary: `A key with ${quoteScopes([scope, ...further])}, on a server that has authorised the ${further.length > 0 ? 'scopes' : 'scope'}.`,
    requestHeaders: { 'Idempotency-Key': IdempotencyKey },
    headers: ['RateLimit', 'RateLimit-Policy', 'Idempotent-Replayed'],
    problems: [
      ...KEY_PROBLEMS,
      'missing_scope',
      ...GRANT_PROBLEMS,
      'idempotency_in_progress',
      'idempotency_key_reused',
    ],
    async enter(caller, request, plane, run) {
      const { operation, incoming, inputs } = request;
      const { exchange, headers } = incoming;
      let queued: ReadonlySet<string> = new Set();
      const write = async (tenant: MutationWriter): Promise<Reply> => {
        // A mutation that is retried in another transaction queues its deliveries again there.
        queued = tenant.queuedEndpoints;
        const serverId = await serverOf(tenant, inputs.ids, inputs);
        if (serverId === undefined) throw problem('not_found');
        exchange.grantorId = serverId; // the record names the server
        // One round trip in this order. A refused mutation has written nothing.
        const [claimed, now, prepared] = await Promise.all([
          claimIdempotencyKey(tenant, request),
          lockAllowedAccess(tenant, { keyId: caller.keyId, serverId, scope }),
          prepare?.(tenant, { serverId, ids: inputs.ids }, plane) as Promise<Prepared>, // undefined if Prepared is
          ...further.map((one) => lockAllowedAccess(tenant, { keyId: caller.keyId, serverId, scope: one })),
        ]);
        return replayOrRun(tenant, claimed, (takeReplyRow) =>
          run({
            plane,
            caller,
            serverId,
            tenant,
            requestId: exchange.id,
            accept: headers.accept,
            prepared,
            now,
            takeReplyRow,
          }),
        );
      };
      const written = plane.mutations.run(operation.id, caller.appId, write, isAlone ? ALONE : sizeOf(incoming));
      const reply = await traceWork(exchange.span, 'transaction', written);
      plane.deliveries.wake(queued);
      return reply;
    },
  };
}

/** The size of a mutation that shares its transaction with no other. */
const ALONE = Number.POSITIVE_INFINITY;

/**
 * Returns the declared size of the body in bytes, or infinity for a chunked body, whose size is not known in advance.
 */
const sizeOf = ({ headers }: Incoming): number => Number(headers['content-length'] ?? ALONE);

interface AccessTarget {
  keyId: string;
  serverId: string;
  scope: Scope;
}

/**
 * Locks the access of the mutation until the transaction ends, and returns the database's time. Throws if the access is
 * missing.
 */
export async function lockAllowedAccess(tenant: TenantWriter, of: AccessTarget): Promise<Date> {
  // The locks come first, so that the access that is read cannot change any more.
  const [, access] = await Promise.all([lockAccess(tenant, of), findAccess(tenant, of)]);
  enforceRules(KEY_RULES, access?.key, of.scope);
  enforceRules(SCOPE_RULES, access?.key.scopes, of.scope);
  enforceRules(GRANT_RULES, access?.grant, of.scope);
  return (access as NonNullable<typeof access>).now; // the first rule refuses a key that is not there
}

/** Throws the refusal of the first rule that the grant breaks. */
export function enforceGrantRules(grant: GrantRow | undefined, scope: Scope): void {
  enforceRules(GRANT_RULES, grant, scope);
}

/** Throws unless the app may use the scope on the server. */
export async function requireGrant(tenant: Tenant, serverId: string, scope: Scope): Promise<void> {
  enforceGrantRules(await findGrant(tenant, serverId, scope), scope);
}

interface AdmittedRequest {
  incoming: Incoming;
  inputs: Inputs;
  operation: AnyOperation<Plane>;
}

function readContext(plane: Plane, caller: ApiCaller, request: AdmittedRequest): ReadContext {
  const { span } = request.incoming.exchange;
  const read = <T>(run: (tenant: Tenant) => Promise<T>): Promise<T> =>
    traceWork(span, 'query', run(createTenantReader(plane.db.api, caller.appId)));
  return {
    plane,
    caller,
    request,
    read,
    page(collection, load) {
      return plane.pages.reply(pageKey(caller, request), revisionOf(caller.revisions, collection), () => read(load));
    },
  };
}

// The fields have a fixed order, so that the order of query parameters does not create another page.
function pageKey(caller: ApiCaller, { inputs, operation }: AdmittedRequest): string {
  const keyPrefix = `${caller.cacheEpoch} ${caller.appId} ${operation.id}`;
  if (!operation.params && Object.keys(inputs.query).length === 0) return keyPrefix;
  const query = Object.entries(inputs.query).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${keyPrefix} ${JSON.stringify([Object.entries(inputs.params), query])}`;
}
