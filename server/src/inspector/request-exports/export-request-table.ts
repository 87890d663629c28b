import { appParams, type Environment } from '../../access/authority/index.ts';
import { allowMemberStream } from '../../identity/sessions/index.ts';
import { awaitFirstPiece } from '../../kit/http/first-piece.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { strictObject, text } from '../../kit/http/schema.ts';
import { requestFilterQuery } from '../requests/index.ts';
import { readPages } from './read-pages.ts';
import { requestCsvHeader, toRequestCsvRow } from './request-csv.ts';

export const exportRequestTable = (environment: Environment) =>
  operation({
    id: 'exportRequestTable',
    route: `GET /api/${environment}/organisations/{organisationId}/apps/{appId}/requests.csv`,
    tag: 'Requests',
    summary: 'Export requests as a table',
    description:
      'Exports the requests that the list returns for the same filter, newest first, with all stored fields, as CSV (RFC 4180) for a spreadsheet. A value that a spreadsheet would evaluate as a formula is prefixed with an apostrophe. If the export fails, the connection closes before the end of the body.',
    access: allowMemberStream('requests.read'),
    params: appParams,
    query: strictObject(requestFilterQuery),
    replies: ok(
      'The table; its first row holds the column names.',
      text('One row per request.', { maxLength: 1_000_000_000 }),
      undefined,
      { contentType: 'text/csv; charset=utf-8' },
    ),
    problems: ['invalid_request'],
    async run(context, { params, query }) {
      const open = context.open('records');
      async function* rows(): AsyncGenerator<string> {
        let head = requestCsvHeader();
        for await (const page of readPages(open, context, environment, params, query)) {
          yield head + page.map(toRequestCsvRow).join('');
          head = '';
        }
      }
      return { status: 200, stream: await awaitFirstPiece(rows(), open.close) };
    },
  });
