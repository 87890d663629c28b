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
      'Exports the requests that the list returns for the same filter, newest first, with all stored fields, as CSV (RFC 4180) for a spreadsheet. A value that a spreadsheet would evaluate as a formula is prefixed with an apostrophe. If the export fails, the connection closes before the end of the body.',
    access: memberFollows('requests.read'),
    params: appParams,
    query: closed(filterQuery),
    replies: {
      200: {
        description: 'The table; its first row holds the column names.',
        contentType: 'text/csv; charset=utf-8',
        schema: text('One row per request.', { maxLength: 1_000_000_000 }),
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
