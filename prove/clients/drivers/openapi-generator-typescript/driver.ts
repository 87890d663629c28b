// Calls the API with the client of openapi-generator for TypeScript, and prints the result of each step as a line of
// JSON.
import { Configuration, ProblemFromJSON, ResponseError, ServersApi, TicketsApi } from './client';

const { API_URL, API_KEY, NARROW_KEY, SERVER_ID: serverId = '', IDEMPOTENCY_KEY: idempotencyKey = '' } = process.env;

function configurationFor(accessToken: string | undefined): Configuration {
  return new Configuration({ basePath: API_URL, accessToken });
}

async function run(): Promise<void> {
  const servers = new ServersApi(configurationFor(API_KEY));
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await servers.listServers({ limit: 2, cursor });
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  console.log(JSON.stringify({ step: 'list', ids }));

  const ticketInput = { subject: idempotencyKey, body: 'Sent twice.' };
  const tickets = new TicketsApi(configurationFor(API_KEY));
  const first = await tickets.createTicket({ serverId, ticketInput, idempotencyKey });
  const second = await tickets.createTicket({ serverId, ticketInput, idempotencyKey });
  console.log(JSON.stringify({ step: 'create', ids: [first.id, second.id] }));

  try {
    await new TicketsApi(configurationFor(NARROW_KEY)).createTicket({ serverId, ticketInput });
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    const { code } = ProblemFromJSON(await error.response.json());
    console.log(JSON.stringify({ step: 'refusal', status: error.response.status, code }));
  }
}

void run();
