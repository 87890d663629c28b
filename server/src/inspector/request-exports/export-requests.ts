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
      'The requests that the list shows under the same filter, newest first, with all that is kept of each, as lines of JSON. An export that cannot go on breaks off: one that has come to its end is whole.',
    access: memberFollows('requests.read'),
    params: appParams,
    query: closed(filterQuery),
    replies: {
      200: {
        description: 'The lines.',
        contentType: 'application/x-ndjson',
        schema: text('A line for each request.', { maxLength: 1_000_000_000 }),
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
