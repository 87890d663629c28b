import { fromId, msOfUuid, toId } from '../../kit/ids.ts';
import { operation } from '../../kit/operation.ts';
import { DEFAULT_LIMIT, listOf, listQuery, openCursor, sealCursor, toList } from '../../kit/page.ts';
import { closed, moment, named, nullable } from '../../kit/schema.ts';
import { appParams, cursorBinding, managesApp } from '../authority/index.ts';
import { filterOf, filterQuery, overlap } from './filter.ts';
import { exampleRequest, RequestRecord, toRequestRecord } from './request-record.ts';
import { searchRequests } from './search-requests.ts';

const RequestList = named(
  'RequestList',
  closed(
    {
      ...listOf(RequestRecord, 'A page of requests.').properties,
      searchedUntil: nullable(
        moment(
          'Set when the page ends early, because it had looked at as many records as a page may: it holds all that fit back to this moment, and `nextCursor` goes on from there.',
        ),
      ),
    },
    { description: 'A page of requests.' },
  ),
);

export const listRequests = operation({
  id: 'listRequests',
  method: 'GET',
  path: '/organisations/{organisationId}/apps/{appId}/requests',
  tag: 'Requests',
  summary: 'List requests',
  description:
    'The calls that the app made with its keys, newest first, accepted and refused. A page looks at a bounded number of records: what is rare may take several, each of which says in `searchedUntil` how far it came.',
  access: managesApp('requests.read'),
  params: appParams,
  query: closed({ ...listQuery, ...filterQuery }),
  replies: {
    200: {
      description: 'A page of requests.',
      schema: RequestList,
      examples: { aPage: { data: [exampleRequest], nextCursor: null, searchedUntil: null } },
    },
  },
  async run({ plane, tenant }, { query }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const binding = cursorBinding(tenant.appId, 'listRequests', query);
    const filter = filterOf(query);
    const position = openCursor(query.cursor, binding, plane.cursorKey);
    const before = position === undefined ? undefined : fromId('req', position);
    const range = before === undefined ? filter.range : overlap(filter.range, { ...filter.range, before });
    const { rows, reached } = await searchRequests(tenant, { ...filter, range }, limit + 1);
    const seal = (uuid: string): string => sealCursor(toId('req', uuid), binding, plane.cursorKey);
    const page = toList(rows, limit, toRequestRecord, (row) => seal(row.request_id));
    const body =
      reached === undefined
        ? { ...page, searchedUntil: null }
        : { ...page, nextCursor: seal(reached), searchedUntil: new Date(msOfUuid(reached)).toISOString() };
    return { status: 200, body };
  },
});
