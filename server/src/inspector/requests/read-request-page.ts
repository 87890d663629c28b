// Reads a page of requests under a filter, newest first, with the requested parts of each.

import type { ManagedAppContext } from '../../access/authority/index.ts';
import { msOfUuid } from '../../kit/crypto/ids.ts';
import type { Reply } from '../../kit/http/operation.ts';
import { createListPager, type ListQuery, listOf } from '../../kit/http/page.ts';
import { dateTime, describedObject, nullable, type TSchema } from '../../kit/http/schema.ts';
import { overlap, type RequestFilterQuery, toRequestFilter } from './request-filter.ts';
import type { RequestRow } from './request-record.ts';
import { searchRequests } from './search-requests.ts';

export function requestPageSchema<T extends TSchema>(item: T) {
  return describedObject('A page of requests.', {
    ...listOf(item, 'A page of requests.').properties,
    searchedUntil: nullable(
      dateTime(
        'Set if the page ends early because it scanned the maximum number of records. The page holds all matching records back to this time; `nextCursor` continues from there.',
      ),
    ),
  });
}

export async function readRequestPage(
  { tenant, cursors }: ManagedAppContext,
  query: RequestFilterQuery & ListQuery,
  toItem: (row: RequestRow) => unknown,
): Promise<Reply> {
  const filter = toRequestFilter(query);
  const list = { prefix: 'req', toItem, idOf: (row: RequestRow) => row.request_id };
  const { after: before, limit, pageOf, seal } = createListPager(list, query, cursors(query));
  const range = before === undefined ? filter.range : overlap(filter.range, { ...filter.range, before });
  const { rows, reached } = await searchRequests(tenant, { ...filter, range }, limit);
  const page = pageOf(rows);
  const body =
    reached === undefined
      ? { ...page, searchedUntil: null }
      : { ...page, nextCursor: seal(reached), searchedUntil: new Date(msOfUuid(reached)).toISOString() };
  return { status: 200, body };
}
