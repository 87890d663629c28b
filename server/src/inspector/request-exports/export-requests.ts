import { appParams, type Environment } from '../../access/authority/index.ts';
import { allowMemberStream } from '../../identity/sessions/index.ts';
import { awaitFirstPiece } from '../../kit/http/first-piece.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { strictObject, text } from '../../kit/http/schema.ts';
import { requestFilterQuery } from '../requests/index.ts';
import { readPages } from './read-pages.ts';

export const exportRequests = (environment: Environment) =>
  operation({
    id: 'exportRequests',
    route: `GET /api/${environment}/organisations/{organisationId}/apps/{appId}/requests.ndjson`,
    tag: 'Requests',
    summary: 'Export requests',
    description:
      'Exports the requests that the list returns for the same filter, newest first, with all stored fields, as JSON Lines. If the export fails, the connection closes before the end of the body: an export that ends normally is complete.',
    access: allowMemberStream('requests.read'),
    params: appParams,
    query: strictObject(requestFilterQuery),
    replies: ok('The lines.', text('One line per request.', { maxLength: 1_000_000_000 }), undefined, {
      contentType: 'application/x-ndjson',
    }),
    problems: ['invalid_request'],
    async run(context, { params, query }) {
      const open = context.open('records');
      async function* lines(): AsyncGenerator<string> {
        for await (const page of readPages(open, context, environment, params, query))
          yield page.map((request) => `${JSON.stringify(request)}\n`).join('');
      }
      return { status: 200, stream: await awaitFirstPiece(lines(), open.close) };
    },
  });
