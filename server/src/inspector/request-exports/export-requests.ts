import { appParams, type Environment } from '../../access/authority/index.ts';
import { memberFollows } from '../../identity/sessions/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { primed } from '../../kit/http/primed.ts';
import { closed, text } from '../../kit/http/schema.ts';
import { filterQuery } from '../requests/index.ts';
import { pagesOf } from './pages.ts';

export const exportRequests = (environment: Environment) =>
  operation({
    id: 'exportRequests',
    method: 'GET',
    path: `/api/${environment}/organisations/{organisationId}/apps/{appId}/requests.ndjson`,
    tag: 'Requests',
    summary: 'Export requests',
    description:
      'Exports the requests that the list returns for the same filter, newest first, with all stored fields, as JSON Lines. If the export fails, the connection closes before the end of the body: an export that ends normally is complete.',
    access: memberFollows('requests.read'),
    params: appParams,
    query: closed(filterQuery),
    replies: {
      200: {
        description: 'The lines.',
        contentType: 'application/x-ndjson',
        schema: text('One line per request.', { maxLength: 1_000_000_000 }),
      },
    },
    problems: ['invalid_request'],
    async run(context, { params, query }) {
      const open = context.open('records');
      async function* lines(): AsyncGenerator<string> {
        for await (const page of pagesOf(open, context, environment, params, query))
          yield page.map((request) => `${JSON.stringify(request)}\n`).join('');
      }
      return { status: 200, stream: await primed(lines(), open.close) };
    },
  });
