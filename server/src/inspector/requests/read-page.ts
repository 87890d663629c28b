// Reads a page of requests under a filter, newest first, with the requested parts of each.

import { type AppContext, cursorBinding } from '../../access/authority/index.ts';
import { fromId, msOfUuid, toId } from '../../kit/crypto/ids.ts';
import type { Reply } from '../../kit/http/operation.ts';
import { DEFAULT_LIMIT, listOf, openCursor, sealCursor, toList } from '../../kit/http/page.ts';
import { closed, moment, nullable, type TSchema } from '../../kit/http/schema.ts';
import { type FilterWish, filterOf, overlap } from './filter.ts';
import type { RequestRow } from './request-record.ts';
import { searchRequests } from './search-requests.ts';

export function pageOf<T extends TSchema>(item: T) {
  return closed(
    {
      ...listOf(item, 'A page of requests.').properties,
      searchedUntil: nullable(
        moment(
          'Set when the page ends early, because it had looked at as many records as a page may: it holds all that fit back to this moment, and `nextCursor` goes on from there.',
        ),
      ),
    },
    { description: 'A page of requests.' },
  );
}

export async function readPage(
  { plane, tenant }: AppContext,
  operationId: string,
  query: FilterWish & { limit?: number; cursor?: string },
  toItem: (row: RequestRow) => unknown,
): Promise<Reply> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const binding = cursorBinding(tenant.appId, operationId, query);
  const filter = filterOf(query);
  const position = openCursor(query.cursor, binding, plane.cursorKey);
  const before = position === undefined ? undefined : fromId('req', position);
  const range = before === undefined ? filter.range : overlap(filter.range, { ...filter.range, before });
  const { rows, reached } = await searchRequests(tenant, { ...filter, range }, limit + 1);
  const seal = (uuid: string): string => sealCursor(toId('req', uuid), binding, plane.cursorKey);
  const page = toList(rows, limit, toItem, (row) => seal(row.request_id));
  const body =
    reached === undefined
      ? { ...page, searchedUntil: null }
      : { ...page, nextCursor: seal(reached), searchedUntil: new Date(msOfUuid(reached)).toISOString() };
  return { status: 200, body };
}
