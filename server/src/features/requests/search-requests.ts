// The newest requests that fit a filter. A search looks at a bounded number of records and then says how far it came.
import type { TenantTransaction } from '../authority/index.ts';
import type { Range, RequestFilter } from './filter.ts';
import type { RequestRow } from './request-record.ts';
import { costOf, facetsOf, isAnsweredBy, partsOf, stretchesOf, type Way, wayOf } from './search-plan.ts';
import { listPartitions, lookAt, planByValues } from './search-store.ts';
import { listRowsOf } from './store.ts';

/** What a page reads in all; and of what has facets, most of which lies where they answer at once. */
const MOST_READ = 30_000;
const MOST_READ_OF_FACETED = 5_000;
/** What fits is mostly found among the first; and what is not is so rare that its facets are few. */
const FIRST_LOOK = 1_000;

export interface SearchResult {
  rows: RequestRow[];
  /** The oldest that was looked at, when there may be more beyond it and fewer were found than wanted. */
  reached: string | undefined;
}

interface Search {
  tenant: TenantTransaction;
  filter: RequestFilter;
  wanted: number;
  found: string[];
  /** How many may be read yet. */
  left: number;
}

export async function searchRequests(
  tenant: TenantTransaction,
  filter: RequestFilter,
  wanted: number,
): Promise<SearchResult> {
  planByValues(tenant);
  const stretches = stretchesOf(await listPartitions(tenant));
  const left = facetsOf(filter).length > 0 ? MOST_READ_OF_FACETED : MOST_READ;
  const search: Search = { tenant, filter, wanted, found: [], left };
  let reached: string | undefined;
  for (const { isSealed, ...range } of partsOf(stretches, filter.range)) {
    reached = await searchStretch(search, range, isSealed);
    if (reached !== undefined || search.found.length >= wanted) break;
  }
  const rows = search.found.length === 0 ? [] : await listRowsOf(tenant, search.found);
  return { rows, reached: search.found.length >= wanted ? undefined : reached };
}

/** Where it stopped because it had read enough; undefined when it found enough, or there is no more. */
async function searchStretch(search: Search, range: Range, isSealed: boolean): Promise<string | undefined> {
  const { tenant, filter, wanted, found } = search;
  let way = wayOf(filter);
  let size = isAnsweredBy(way, filter) ? wanted : FIRST_LOOK;
  let { before } = range;
  for (;;) {
    size = Math.min(size, Math.floor(search.left / costOf(way)));
    if (size === 0) return before;
    const look = await lookAt(tenant, filter, way, { ...range, before }, { size, wanted: wanted - found.length });
    found.push(...look.found);
    search.left -= look.looked * costOf(way);
    if (found.length >= wanted || look.looked < size || look.reached === null) return undefined;
    before = look.reached;
    const faceted = byFacets(filter, isSealed);
    size = faceted && way.by !== 'facets' ? FIRST_LOOK : search.left;
    way = faceted ?? way;
  }
}

function byFacets(filter: RequestFilter, isSealed: boolean): Way | undefined {
  const facets = isSealed ? facetsOf(filter) : [];
  return facets.length === 0 ? undefined : { by: 'facets', facets };
}
