// The document as a Postman collection, whose requests newman sends to the sandbox.
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../bench/server.ts';
import type { Check } from '../kit.ts';
import { execute, installNpm } from './commands.ts';
import type { Target } from './target.ts';

interface Operation {
  summary: string;
  security?: object[];
  responses: Record<string, object>;
}

interface Line {
  name: string;
  method: string;
  status?: number;
  error?: string;
}

/** Returns an identifier for each parameter of a path. */
async function pathValues({ call, serverIds }: Target): Promise<Record<string, string>> {
  const firstOf = async (path: string): Promise<string> => {
    const { body } = await call<{ data: { id: string }[] }>(path);
    const [first] = body.data;
    if (first === undefined) throw new Error(`${path} is empty.`);
    return first.id;
  };
  const [serverId = ''] = serverIds;
  const server = `/v1/servers/${serverId}`;
  const post = (path: string, body: object) =>
    call<{ id: string }>(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const ticket = await post(`${server}/tickets`, { subject: 'For Postman', body: 'A ticket to read.' });
  // The example of the document is an input of this workflow.
  const started = await Promise.all(
    serverIds.map(async (id) => {
      const { body } = await call<{ data: { id: string }[] }>(`/v1/servers/${id}/workflows?limit=100`);
      return Promise.all(
        body.data.map(async (workflow) => {
          const run = await post(`/v1/workflows/${workflow.id}/runs`, { input: { memberName: 'Imke' } });
          return { workflowId: workflow.id, workflowRunId: run.body.id, status: run.status };
        }),
      );
    }),
  );
  const run = started.flat().find(({ status }) => status === 202);
  if (run === undefined) throw new Error('No workflow accepts the input of the example.');
  return {
    serverId,
    publicationId: await firstOf(`${server}/publications`),
    roadmapItemId: await firstOf(`${server}/roadmap`),
    ticketId: ticket.body.id,
    workflowId: run.workflowId,
    workflowRunId: run.workflowRunId,
    eventId: await firstOf('/v1/events'),
    slug: 'missing_scope',
    deprecationId: '',
  };
}

export async function checkPostman(target: Target, folder: string): Promise<Check[]> {
  cpSync(join(root, 'prove/clients/drivers/postman'), folder, { recursive: true });
  await installNpm(folder, ['openapi-to-postmanv2', 'newman']);
  writeFileSync(join(folder, 'openapi.json'), target.documents.v1);
  const values = await pathValues(target);
  const { code, stdout, lastLines } = await execute(['node', 'driver.cjs'], folder, {
    API_URL: target.apiUrl,
    API_KEY: target.key,
    PATH_VALUES: JSON.stringify(values),
  });
  if (code !== 0) throw new Error(`The driver of Postman ended with ${code}.\n${lastLines}`);
  const lines = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line); // the driver prints lines in this form
  const { paths } = JSON.parse(target.documents.v1) as { paths: Record<string, Record<string, Operation>> };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const faults: string[] = [];
  for (const { summary, security = [], responses } of operations) {
    const line = lines.find(({ name }) => name === summary);
    const isKeyed = security.length > 0;
    const isDocumented = line?.status !== undefined && Object.hasOwn(responses, String(line.status));
    const isRight = isDocumented && (!isKeyed || String(line.status).startsWith('2'));
    if (!isRight) faults.push(`${summary}: ${line?.status ?? line?.error ?? 'not in the collection'}`);
  }
  const keyed = operations.filter(({ security = [] }) => security.length > 0).length;
  return [
    {
      name: 'Postman and newman: each operation answers as documented, and each keyed operation succeeds',
      ok: faults.length === 0 && keyed > 10,
      figure: faults.join('; ') || `${operations.length} operations, ${keyed} keyed`,
    },
  ];
}
