// The service under proof: nodes and a worker, each a process of its own, and this process as all of their callers.
import type { ChildProcess } from 'node:child_process';
import pg from 'pg';
import { Agent, request } from 'undici';
import { startScript } from '../../bench/kit.ts';
import { openBenchPlane } from '../../bench/plane.ts';
import { signAssertion } from '../../server/src/features/authority/index.ts';
import { newUuid, toId } from '../../server/src/kit/ids.ts';
import type { Place, Subject, Told } from '../../server/test/changes.ts';

export const NODES = 3;

export interface Node {
  child: ChildProcess;
  apiUrl: string;
  managementUrl: string;
}

export interface Service {
  nodes: Node[];
  database: pg.Pool;
  /** An organisation of its own, with an app and its small world; managed through one of the nodes. */
  newSubject(manager?: number): Promise<Subject>;
  stop(): Promise<void>;
}

const processEnv = (url: string): Record<string, string> => ({ BENCH_DATABASE_URL: url, BENCH_RATE: '1000000' });

/** `urls` is where each node finds the database. Without a worker a stop of deliveries has nobody to wait for. */
export async function startService(
  urls: readonly string[],
  superuserUrl: string,
  options: { wrong?: string; worker?: boolean } = {},
): Promise<Service> {
  const started = await Promise.all(
    urls.map((url) => startScript('prove/revocation/node.ts', ['api', options.wrong ?? ''], processEnv(url))),
  );
  const worker = options.worker && startScript('prove/revocation/node.ts', ['worker'], processEnv(urls[0] ?? ''));
  const all = [...started, ...(worker ? [await worker] : [])];
  const nodes = started.map(({ child, firstLine }): Node => ({ child, ...JSON.parse(firstLine) }));
  // Of a plane nothing is used here but its secrets: it opens no connection before it is asked to.
  const { plane, close } = openBenchPlane(superuserUrl);
  const database = new pg.Pool({ connectionString: superuserUrl, max: 10 });
  database.on('error', () => {}); // a fault may have cut it
  const dispatcher = new Agent({ headersTimeout: 60_000, bodyTimeout: 60_000 });

  async function send(url: string, method: 'GET' | 'POST' | 'PUT', bearer: string, body?: object): Promise<Told> {
    const answer = await request(url, {
      dispatcher,
      method,
      headers: { authorization: `Bearer ${bearer}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    const { statusCode: status } = answer;
    return { status, text, code: status < 400 ? undefined : JSON.parse(text).code };
  }

  function placeOf(organisationId: string, manager: number): Place {
    const prover = { kind: 'person', personId: 'prover', name: 'prover@example.org', address: null } as const;
    const actor = { ...prover, organisationId, role: 'owner' } as const;
    async function manage(method: 'GET' | 'POST' | 'PUT', path: string, body?: object, isAgain = false): Promise<Told> {
      const assertion = await signAssertion(actor, 'sandbox', plane.managementKey);
      const base = `${nodes[manager]?.managementUrl}/organisations/${toId('org', organisationId)}`;
      const told = await send(base + path, method, assertion, body);
      // Whether it was done is not known. Asked for again it is a change that took longer, or there is nothing left to do.
      if (told.status === 503 || told.status === 504) return manage(method, path, body, true);
      if (told.status >= 300 && !(isAgain && told.status === 409)) {
        throw new Error(`${method} ${path}: ${told.status} ${told.text}`);
      }
      return told;
    }
    return {
      peppers: plane.peppers,
      superuser: async (text, values) => (await database.query(text, values)).rows,
      ask: (node, token, { method, path, body }) => send(`${nodes[node]?.apiUrl}${path}`, method, token, body),
      manage: (method, path, body) => manage(method, path, body),
    };
  }

  return {
    nodes,
    database,
    async newSubject(manager = 0) {
      const place = placeOf(newUuid(), manager);
      const appId: string = JSON.parse((await place.manage('POST', '/apps', { name: 'Proof' })).text).id;
      const list: { data: { serverId: string }[] } = JSON.parse(
        (await place.manage('GET', `/apps/${appId}/installations`)).text,
      );
      return { place, appId, serverIds: list.data.map(({ serverId }) => serverId) };
    },
    async stop() {
      await dispatcher.destroy();
      await Promise.all(all.map((one) => one.stop()));
      await Promise.all([database.end(), close()]);
    },
  };
}
