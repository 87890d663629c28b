// Calls the API with openapi-fetch and the types of openapi-typescript, and prints the result of each step as a line of
// JSON.
import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './client';

const { API_URL, API_KEY, NARROW_KEY, SERVER_ID: serverId = '', IDEMPOTENCY_KEY: idempotencyKey = '' } = process.env;

function clientFor(key: string | undefined): Client<paths> {
  return createClient<paths>({ baseUrl: API_URL, headers: { authorization: `Bearer ${key}` } });
}

async function createOnce(): Promise<string | undefined> {
  const { data } = await clientFor(API_KEY).POST('/v1/servers/{serverId}/tickets', {
    params: { path: { serverId }, header: { 'Idempotency-Key': idempotencyKey } },
    body: { subject: idempotencyKey, body: 'Sent twice.' },
  });
  return data?.id;
}

async function run(): Promise<void> {
  const client = clientFor(API_KEY);
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const { data: page } = await client.GET('/v1/servers', { params: { query: { limit: 2, cursor } } });
    ids.push(...(page?.data ?? []).map(({ id }) => id));
    cursor = page?.nextCursor ?? undefined;
  } while (cursor !== undefined);
  console.log(JSON.stringify({ step: 'list', ids }));

  console.log(JSON.stringify({ step: 'create', ids: [await createOnce(), await createOnce()] }));

  const { error, response } = await clientFor(NARROW_KEY).POST('/v1/servers/{serverId}/tickets', {
    params: { path: { serverId } },
    body: { subject: 'No', body: 'No.' },
  });
  console.log(JSON.stringify({ step: 'refusal', status: response.status, code: error?.code }));
}

void run();
