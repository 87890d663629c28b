// Gathers the evidence of an app: each item is a search that reads a bounded number of its records.

import { type Plane, SCOPES, type Scope, type TenantTransaction } from '../../access/authority/index.ts';
import {
  findStoredRequests,
  listPartitions,
  planByValues,
  type RequestFilter,
  type RequestRow,
  searchRequests,
  toRequestFilter,
} from '../../inspector/requests/index.ts';
import { firstUuidAt } from '../../kit/crypto/ids.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import type { AnyOperation } from '../../kit/http/operation.ts';
import { listUsedDeprecationIds } from '../../platform/deprecations/index.ts';
import { countPassedDrills } from '../../webhooks/drills/index.ts';
import {
  ERROR_KINDS,
  type ErrorCounts,
  type ErrorKind,
  type EvidenceFacts,
  type EvidencePeriod,
  evidenceStartMs,
  type SampleRequest,
} from './evidence.ts';
import { listRecentUses, listRecovered, type RecentUse } from './store.ts';

/** The properties of an operation of /v1 that evidence needs. */
export interface EvidenceOperation {
  id: string;
  scope: Scope;
  /** True if the operation accepts an Idempotency-Key. */
  isMutation: boolean;
}

export function toEvidenceOperations(operations: readonly AnyOperation<Plane>[]): EvidenceOperation[] {
  return operations.flatMap(({ id, access }) => {
    const scope = SCOPES.find((known) => known === access.scope);
    return scope ? [{ id, scope, isMutation: access.requestHeaders?.['Idempotency-Key'] !== undefined }] : [];
  });
}

/** The maximum number of errors of a kind that are checked for a later success. */
const ERRORS = 20;
const ENOUGH_REPLAYS = 10;
const ENOUGH_BROWSER_USES = 100;
/** The maximum number of pages per search. Searches without facets need several; compacted days answer from facets. */
const PAGES = 10;

type RequestCriteria = Partial<Omit<RequestFilter, 'range'>>;

interface EvidenceSearch {
  tenant: TenantTransaction;
  atMs: number;
  /** The first identifier after the compacted days. */
  uncompactedFrom: string;
  /** Uses since then, by operation. */
  recent: ReadonlyMap<string, RecentUse>;
}

async function startSearch(tenant: TenantTransaction): Promise<EvidenceSearch> {
  const atMs = nowMs();
  const since = firstUuidAt(evidenceStartMs(atMs));
  const newestCompacted = (await listPartitions(tenant)).find(({ isCompacted }) => isCompacted);
  const uncompactedFrom = newestCompacted && newestCompacted.before > since ? newestCompacted.before : since;
  planByValues(tenant);
  const uses = await listRecentUses(tenant, uncompactedFrom);
  return { tenant, atMs, uncompactedFrom, recent: new Map(uses.map((use) => [use.operation_id, use])) };
}

/**
 * Returns up to `wanted` requests, those of compacted days first, because facets find them quickly. `isWhole` is true
 * if there are no others.
 */
async function findRequests(
  { tenant, atMs, uncompactedFrom }: EvidenceSearch,
  input: RequestCriteria,
  wanted: number,
  { isCompactedOnly = false } = {},
): Promise<{ rows: RequestRow[]; isWhole: boolean }> {
  const { range, ...rest } = toRequestFilter({});
  const filter = { ...rest, ...input };
  const compacted = { from: firstUuidAt(evidenceStartMs(atMs)), before: uncompactedFrom };
  const parts = isCompactedOnly ? [compacted] : [compacted, { from: uncompactedFrom, before: range.before }];
  const rows: RequestRow[] = [];
  let isWhole = true;
  for (const part of parts) {
    let before: string | undefined = part.from < part.before ? part.before : undefined;
    for (let page = 0; page < PAGES && before !== undefined && rows.length < wanted; page += 1) {
      const result = await searchRequests(tenant, { ...filter, range: { ...part, before } }, wanted - rows.length);
      rows.push(...result.rows);
      before = result.reached;
    }
    isWhole &&= before === undefined && rows.length < wanted;
  }
  return { rows, isWhole };
}

const SUCCESS = [200, 299] as const;

const COMPACTED_ONLY = { isCompactedOnly: true };

async function findScope(
  gathering: EvidenceSearch,
  exercised: readonly EvidenceOperation[],
): Promise<SampleRequest | undefined> {
  for (const { id } of exercised) {
    const { request_id, at } = gathering.recent.get(id) ?? { request_id: null, at: null };
    if (request_id !== null && at !== null) return { request_id, at };
  }
  for (const { id } of exercised) {
    const input = { operationId: id, statuses: SUCCESS, isSimulated: false };
    const { rows } = await findRequests(gathering, input, 1, COMPACTED_ONLY);
    if (rows[0]) return rows[0];
  }
  return undefined;
}

async function countErrors(gathering: EvidenceSearch, kind: ErrorKind): Promise<ErrorCounts> {
  const { rows } = await findRequests(gathering, { statuses: ERROR_KINDS[kind].statuses }, ERRORS);
  const recovered = await listRecovered(gathering.tenant, rows);
  return { met: rows.length, recovered: recovered.length };
}

async function countReplays(gathering: EvidenceSearch, exercised: readonly EvidenceOperation[]): Promise<number> {
  let replays = 0;
  for (const { id } of exercised.filter(({ isMutation }) => isMutation)) {
    const input = { operationId: id, statuses: SUCCESS, isReplayed: true };
    const { rows } = await findRequests(gathering, input, ENOUGH_REPLAYS, COMPACTED_ONLY);
    replays += rows.length + (gathering.recent.get(id)?.replays ?? 0);
  }
  return replays;
}

async function countBrowserUses(gathering: EvidenceSearch): Promise<number | undefined> {
  const { rows, isWhole } = await findRequests(gathering, { code: 'browser_use' }, ENOUGH_BROWSER_USES);
  return rows.length > 0 || isWhole ? rows.length : undefined;
}

/** Gathers all items one after the other, because they share a connection. */
export async function gatherEvidence(
  tenant: TenantTransaction,
  exercised: readonly EvidenceOperation[],
): Promise<{ period: EvidencePeriod; found: EvidenceFacts }> {
  const gathering = await startSearch(tenant);
  const { atMs } = gathering;
  const { sinceMs } = await findStoredRequests(tenant, evidenceStartMs(atMs));
  const scopes: Partial<Record<Scope, SampleRequest>> = {};
  for (const scope of SCOPES) {
    const sample = await findScope(
      gathering,
      exercised.filter((one) => one.scope === scope),
    );
    if (sample) scopes[scope] = sample;
  }
  const found: EvidenceFacts = {
    scopes: scopes as EvidenceFacts['scopes'], // a missing scope is undefined
    errors: {
      refused: await countErrors(gathering, 'refused'),
      rateLimited: await countErrors(gathering, 'rateLimited'),
      failed: await countErrors(gathering, 'failed'),
    },
    replays: await countReplays(gathering, exercised),
    drills: await countPassedDrills(tenant),
    browserUses: await countBrowserUses(gathering),
    deprecated: await listUsedDeprecationIds(tenant),
  };
  return { period: { gatheredAtMs: atMs, sinceMs }, found };
}
