// The requests of the API benchmark: every operation that reads and the two that write, with each key on an object of
// its own app.

export interface BenchRequest {
  token: string;
  path: string;
  /** JSON; a request with a body is a POST. */
  body?: string;
}

type Get = <Body>(path: string, token: string, body?: object) => Promise<Body>;

interface SampleObjects {
  serverId: string;
  publicationId: string;
  roadmapItemId: string;
  workflowId: string;
  ticketId: string;
  workflowRunId: string;
  eventId: string;
}

const TICKET = { subject: 'The reminder comes twice', body: 'Since yesterday each reminder is posted two times.' };
const RUN = { input: { memberName: 'Imke' } };

/** The path of each operation, in the order of the table, with objects of an app. */
const READS: Record<string, (samples: SampleObjects) => string> = {
  listServers: () => '/v1/servers',
  getServer: ({ serverId }) => `/v1/servers/${serverId}`,
  listPublications: ({ serverId }) => `/v1/servers/${serverId}/publications`,
  getPublication: ({ publicationId }) => `/v1/publications/${publicationId}`,
  listRoadmap: ({ serverId }) => `/v1/servers/${serverId}/roadmap`,
  getRoadmapItem: ({ roadmapItemId }) => `/v1/roadmap/${roadmapItemId}`,
  listTickets: ({ serverId }) => `/v1/servers/${serverId}/tickets`,
  getTicket: ({ ticketId }) => `/v1/tickets/${ticketId}`,
  listWorkflows: ({ serverId }) => `/v1/servers/${serverId}/workflows`,
  getWorkflowRun: ({ workflowRunId }) => `/v1/workflow-runs/${workflowRunId}`,
  listEvents: () => '/v1/events',
  getEvent: ({ eventId }) => `/v1/events/${eventId}`,
  getMe: () => '/v1/me',
};

const WRITES: Record<string, { path(samples: SampleObjects): string; body: object }> = {
  createTicket: { path: ({ serverId }) => `/v1/servers/${serverId}/tickets`, body: TICKET },
  createWorkflowRun: { path: ({ workflowId }) => `/v1/workflows/${workflowId}/runs`, body: RUN },
};

export const OPERATIONS = [...Object.keys(READS), ...Object.keys(WRITES)];
export const isWrite = (operation: string): boolean => operation in WRITES;

/** Returns for each operation a request per key, and the first response, which the static handler returns. */
export async function makeRequests(
  apiUrl: string,
  keysOfApps: readonly (readonly string[])[],
): Promise<Map<string, { requests: BenchRequest[]; answer: string }>> {
  const byOperation = new Map(OPERATIONS.map((name) => [name, { requests: [] as BenchRequest[], answer: '' }]));
  for (const tokens of keysOfApps) {
    const samples = await findSampleObjects(ask(apiUrl), tokens[0] ?? '');
    for (const [name, { requests }] of byOperation) {
      const write = WRITES[name];
      const path = write?.path(samples) ?? READS[name]?.(samples) ?? '';
      for (const token of tokens) requests.push({ token, path, ...(write && { body: JSON.stringify(write.body) }) });
    }
  }
  for (const entry of byOperation.values()) {
    const [first] = entry.requests;
    if (first) entry.answer = await textOf(apiUrl, first);
  }
  return byOperation;
}

async function textOf(apiUrl: string, { path, token, body }: BenchRequest): Promise<string> {
  const authorization = `Bearer ${token}`;
  const response = await fetch(
    apiUrl + path,
    body === undefined
      ? { headers: { authorization } }
      : { method: 'POST', body, headers: { authorization, 'content-type': 'application/json' } },
  );
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return text;
}

const ask =
  (apiUrl: string): Get =>
  async (path, token, body) =>
    JSON.parse(await textOf(apiUrl, { path, token, ...(body && { body: JSON.stringify(body) }) }));

async function findSampleObjects(get: Get, token: string): Promise<SampleObjects> {
  const first = async (path: string): Promise<string> =>
    (await get<{ data: { id: string }[] }>(path, token)).data.at(-1)?.id ?? '';
  const create = async (path: string, body: object): Promise<string> =>
    (await get<{ id: string }>(path, token, body)).id;
  const serverId = await first('/v1/servers');
  const workflowId = await first(`/v1/servers/${serverId}/workflows`);
  const ticketId = await create(`/v1/servers/${serverId}/tickets`, TICKET);
  return {
    serverId,
    workflowId,
    ticketId,
    publicationId: await first(`/v1/servers/${serverId}/publications`),
    roadmapItemId: await first(`/v1/servers/${serverId}/roadmap`),
    workflowRunId: await create(`/v1/workflows/${workflowId}/runs`, RUN),
    eventId: await first('/v1/events'),
  };
}
