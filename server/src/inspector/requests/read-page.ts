// Reads a page of requests under a filter, newest first, with the requested parts of each.

import type { AppContext } from '../../access/authority/index.ts';
import { msOfUuid } from '../../kit/crypto/ids.ts';
import type { Reply } from '../../kit/http/operation.ts';
import { type ListQuery, listOf, openPage } from '../../kit/http/page.ts';
import { closed, moment, nullable, type TSchema } from '../../kit/http/schema.ts';
import { type FilterWish, filterOf, overlap } from './filter.ts';
import type { RequestRow } from './request-record.ts';
import { searchRequests } from './search-requests.ts';

export function requestPage<T extends TSchema>(item: T) {
  return closed(
    {
      ...listOf(item, 'A page of requests.').properties,
      searchedUntil: nullable(
        moment(
          'Set if the page ends early because it scanned the maximum number of records. The page holds all matching records back to this time; `nextCursor` continues from there.',
        ),
      ),
    },
    { description: 'A page of requests.' },
  );
}

export async function readPage(
  { tenant, cursors }: AppContext,
  query: FilterWish & ListQuery,
  toItem: (row: RequestRow) => unknown,
): Promise<Reply> {
  const filter = filterOf(query);
  const list = { prefix: 'req', toItem, idOf: (row: RequestRow) => row.request_id };
  const { after: before, limit, pageOf, seal } = openPage(list, query, cursors(query));
  const range = before === undefined ? filter.range : overlap(filter.range, { ...filter.range, before });
  const { rows, reached } = await searchRequests(tenant, { ...filter, range }, limit);
  const page = pageOf(rows);
  const body =
    reached === undefined
      ? { ...page, searchedUntil: null }
      : { ...page, nextCursor: seal(reached), searchedUntil: new Date(msOfUuid(reached)).toISOString() };
  return { status: 200, body };
}
