// Calls the API with the client of @hey-api/openapi-ts, and prints the result of each step as a line of JSON.
import { createTicket, listServers } from './client';
import { type Client, createClient, createConfig } from './client/client';

const { API_URL, API_KEY, NARROW_KEY, SERVER_ID: serverId = '', IDEMPOTENCY_KEY: idempotencyKey = '' } = process.env;

function clientFor(auth: string | undefined): Client {
  return createClient(createConfig({ baseUrl: API_URL, auth }));
}

async function run(): Promise<void> {
  const client = clientFor(API_KEY);
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const { data: page } = await listServers({ client, query: { limit: 2, cursor }, throwOnError: true });
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  console.log(JSON.stringify({ step: 'list', ids }));

  const call = { path: { serverId }, body: { subject: idempotencyKey, body: 'Sent twice.' } };
  const headers = { 'Idempotency-Key': idempotencyKey };
  const first = await createTicket({ client, ...call, headers, throwOnError: true });
  const second = await createTicket({ client, ...call, headers, throwOnError: true });
  console.log(JSON.stringify({ step: 'create', ids: [first.data.id, second.data.id] }));

  const { error, response } = await createTicket({ client: clientFor(NARROW_KEY), ...call });
  console.log(JSON.stringify({ step: 'refusal', status: response?.status, code: error?.code }));
}

void run();
