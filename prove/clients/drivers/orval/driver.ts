// Calls the API with the client of orval, and prints the result of each step as a line of JSON.
import { createTicket, listServers } from './client';

const { API_KEY = '', NARROW_KEY = '', SERVER_ID: serverId = '', IDEMPOTENCY_KEY: idempotencyKey = '' } = process.env;

function headersOf(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

async function createOnce(): Promise<string> {
  const headers = { ...headersOf(API_KEY), 'Idempotency-Key': idempotencyKey };
  const answer = await createTicket(serverId, { subject: idempotencyKey, body: 'Sent twice.' }, { headers });
  if (answer.status !== 201) throw new Error(`Unexpected status ${answer.status}`);
  return answer.data.id;
}

async function run(): Promise<void> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listServers({ limit: 2, cursor }, { headers: headersOf(API_KEY) });
    if (page.status !== 200) throw new Error(`Unexpected status ${page.status}`);
    ids.push(...page.data.data.map(({ id }) => id));
    cursor = page.data.nextCursor ?? undefined;
  } while (cursor !== undefined);
  console.log(JSON.stringify({ step: 'list', ids }));

  console.log(JSON.stringify({ step: 'create', ids: [await createOnce(), await createOnce()] }));

  const refusal = await createTicket(serverId, { subject: 'No', body: 'No.' }, { headers: headersOf(NARROW_KEY) });
  if (refusal.status !== 403) throw new Error(`Unexpected status ${refusal.status}`);
  console.log(JSON.stringify({ step: 'refusal', status: refusal.status, code: refusal.data.code }));
}

void run();
