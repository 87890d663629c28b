import { appParams, type Environment } from '../../access/authority/index.ts';
import { memberFollows } from '../../identity/sessions/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { primed } from '../../kit/http/primed.ts';
import { closed, text } from '../../kit/http/schema.ts';
import { filterQuery } from '../requests/index.ts';
import { pagesOf } from './pages.ts';
import { csvHead, toCsv } from './request-csv.ts';

export const exportRequestTable = (environment: Environment) =>
  operation({
    id: 'exportRequestTable',
    method: 'GET',
    path: `/api/${environment}/organisations/{organisationId}/apps/{appId}/requests.csv`,
    tag: 'Requests',
    summary: 'Export requests as a table',
    description:
      'The requests that the list shows under the same filter, newest first, with all that is kept of each, as CSV (RFC 4180) for a spreadsheet. What a spreadsheet would take for a formula begins with an apostrophe. An export that cannot go on breaks off.',
    access: memberFollows('requests.read'),
    params: appParams,
    query: closed(filterQuery),
    replies: {
      200: {
        description: 'The table, its first row the names of the columns.',
        contentType: 'text/csv; charset=utf-8',
        schema: text('A row for each request.', { maxLength: 1_000_000_000 }),
      },
    },
    problems: ['invalid_request'],
    async run(context, { params, query }) {
      const open = context.open('records');
      async function* rows(): AsyncGenerator<string> {
        let head = csvHead();
        for await (const page of pagesOf(open, context, environment, params, query)) {
          yield head + page.map(toCsv).join('');
          head = '';
        }
      }
      return { status: 200, stream: await primed(rows(), open.close) };
    },
  });
