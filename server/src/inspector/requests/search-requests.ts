// Finds the newest requests that match a filter. A search reads a bounded number of records and then says how far it
// searched.
import type { TenantTransaction } from '../../access/authority/index.ts';
import type { IdRange, RequestFilter } from './request-filter.ts';
import type { RequestRow } from './request-record.ts';
import {
  chooseIndex,
  chooseUncompactedIndex,
  clipStretches,
  costOf,
  doFacetsCoverFilter,
  facetsOf,
  hasOneIndex,
  isCoveredBy,
  toStretches,
} from './search-plan.ts';
import { findFaceted, listPartitions, planByValues, planOnce, scanCandidates } from './search-store.ts';
import { listRowsOf } from './store.ts';

/**
 * The maximum number of records that a page reads. The limit is lower for filters with facets, which compacted days
 * answer quickly.
 */
const MAX_READ = 20_000;
const MAX_READ_WITH_FACETS = 5_000;
/**
 * A month of compacted days and three days of hours. A statement that is planned for all of them locks them with their
 * indexes.
 */
const MAX_PARTITIONS_PLANNED_ONCE = 104;
/**
 * The size of the first scan. Either matches are mostly among the first records, or they are so rare that their facets
 * are few.
 */
const FIRST_SCAN_SIZE = 1_000;
/** The highest cost of a record that is found by a facet and then by its identifier, in sequentially read records. */
const FACETED_COST = 10;

export interface SearchResult {
  rows: RequestRow[];
  /** The oldest record that was read. Set if fewer were found than wanted and there may be more beyond it. */
  reached: string | undefined;
}

interface SearchState {
  tenant: TenantTransaction;
  filter: RequestFilter;
  mayPlanOnce: boolean;
  wanted: number;
  found: string[];
  /** The number of records that were read sequentially. */
  examined: number;
  /** The number of records that may still be read. */
  budget: number;
}

export async function searchRequests(
  tenant: TenantTransaction,
  filter: RequestFilter,
  wanted: number,
): Promise<SearchResult> {
  const partitions = await listPartitions(tenant);
  const stretches = toStretches(partitions);
  const budget = facetsOf(filter).length > 0 ? MAX_READ_WITH_FACETS : MAX_READ;
  const mayPlanOnce = partitions.length <= MAX_PARTITIONS_PLANNED_ONCE;
  const search: SearchState = { tenant, filter, mayPlanOnce, wanted, found: [], examined: 0, budget };
  let reached: string | undefined;
  for (const { isCompacted, ...range } of clipStretches(stretches, filter.range)) {
    reached = await searchStretch(search, range, isCompacted);
    if (reached !== undefined || search.found.length >= wanted) break;
  }
  const rows = search.found.length === 0 ? [] : await listRowsOf(tenant, search.found);
  return { rows, reached: search.found.length >= wanted ? undefined : reached };
}

/**
 * Searches one stretch. Returns the identifier where it stopped because of the limit. Returns undefined if it found
 * enough or there is no more.
 */
async function searchStretch(search: SearchState, range: IdRange, isCompacted: boolean): Promise<string | undefined> {
  const { tenant, filter, wanted, found } = search;
  const way = isCompacted ? chooseIndex(filter) : chooseUncompactedIndex(filter);
  if (search.mayPlanOnce && hasOneIndex(way)) planOnce(tenant);
  else planByValues(tenant);
  const facets = isCompacted ? facetsOf(filter) : [];
  let size = isCoveredBy(way, filter) ? wanted : FIRST_SCAN_SIZE;
  let { before } = range;
  if (facets.length > 0 && areMatchesRare(search)) return searchFacets(search, range, facets);
  for (;;) {
    size = Math.min(size, Math.floor(search.budget / costOf(way)));
    if (size === 0) return before;
    const scan = await scanCandidates(
      tenant,
      filter,
      way,
      { ...range, before },
      { size, wanted: wanted - found.length },
    );
    found.push(...scan.found);
    search.examined += scan.examined;
    search.budget -= scan.examined * costOf(way);
    if (found.length >= wanted || scan.examined < size || scan.reached === null) return undefined;
    before = scan.reached;
    if (facets.length > 0) return searchFacets(search, { ...range, before }, facets);
    size = search.budget;
  }
}

/** Returns true if another scan of this size is unlikely to find enough, judged by the previous one. */
function areMatchesRare({ examined, found, wanted }: SearchState): boolean {
  return examined >= FIRST_SCAN_SIZE / 2 && (found.length / examined) * FIRST_SCAN_SIZE < wanted - found.length;
}

async function searchFacets(
  search: SearchState,
  range: IdRange,
  facets: readonly string[],
): Promise<string | undefined> {
  const { tenant, filter, wanted, found } = search;
  const missing = wanted - found.length;
  const isAnswer = doFacetsCoverFilter(facets, filter);
  const size = Math.min(Math.floor(search.budget / FACETED_COST), isAnswer ? missing : Number.POSITIVE_INFINITY);
  if (size === 0) return range.before;
  const requestIds = await findFaceted(tenant, facets, range, size);
  search.budget -= requestIds.length * FACETED_COST;
  if (isAnswer) found.push(...requestIds);
  else if (requestIds.length > 0) {
    const scan = await scanCandidates(tenant, filter, { by: 'ids', requestIds }, range, { size, wanted: missing });
    found.push(...scan.found);
  }
  return found.length >= wanted || requestIds.length < size ? undefined : requestIds.at(-1);
}
