// The service under proof: nodes and a worker as separate processes, with this process as all of their callers.
import type { ChildProcess } from 'node:child_process';
import pg from 'pg';
import { Agent, request } from 'undici';
import { startScript } from '../../bench/kit.ts';
import { openBenchPlane } from '../../bench/plane.ts';
import { consoleActor, SCOPES, signAssertion } from '../../server/src/access/authority/index.ts';
import { newUuid, toId } from '../../server/src/kit/crypto/ids.ts';
import {
  type AccessProbeResponse,
  type Change,
  changesOf,
  type Subject,
  type TestEnvironment,
} from '../../server/test/access-changes.ts';
import { INGEST_KEY } from '../../server/test/production.fixture.ts';
import type { ReferenceUpstream } from '../../server/test/reference-upstream.ts';
import { reportedEvent } from '../../server/test/reported-events.ts';
import { restrictionsOf, type UpstreamSubject } from '../../server/test/restriction-changes.ts';

export const NODES = 3;

export interface Node {
  child: ChildProcess;
  apiUrl: string;
  managementUrl: string;
}

export interface Service {
  nodes: Node[];
  database: pg.Pool;
  /** Yields the changes of access of one of its subjects. */
  changesOf(subject: Subject | UpstreamSubject): AsyncGenerator<Change>;
  /** Creates a separate organisation with an app and its small world, managed through one of the nodes. */
  newSubject(manager?: number): Promise<Subject | UpstreamSubject>;
  stop(): Promise<void>;
}

const processEnv = (url: string, upstream: ReferenceUpstream | undefined): Record<string, string> => ({
  BENCH_DATABASE_URL: url,
  BENCH_RATE: '1000000',
  ...(upstream && { BENCH_UPSTREAM_URL: upstream.url }),
});

type Method = 'GET' | 'PATCH' | 'POST' | 'PUT';

export interface RevocationOptions {
  /** The name of a wrong authority. */
  wrong?: string;
  /** True to start a worker. Without one, a revocation has no in-flight deliveries to cancel. */
  worker?: boolean;
  /** The upstream API of production. Without one, the nodes are the sandbox's. */
  upstream?: ReferenceUpstream;
}

/** Starts the service. `urls` are the database URLs of the nodes. */
export async function startService(
  urls: readonly string[],
  superuserUrl: string,
  { wrong = '', worker: hasWorker = false, upstream }: RevocationOptions = {},
): Promise<Service> {
  const environment = upstream ? 'production' : 'sandbox';
  const started = await Promise.all(
    urls.map((url) => startScript('prove/revocation/node.ts', ['api', wrong], processEnv(url, upstream))),
  );
  const worker = hasWorker && startScript('prove/revocation/node.ts', ['worker'], processEnv(urls[0] ?? '', upstream));
  const all = [...started, ...(worker ? [await worker] : [])];
  const nodes = started.map(({ child, firstLine }): Node => ({ child, ...JSON.parse(firstLine) }));
  // Only the secrets of this plane are used. It opens no connection before its first statement.
  const { plane, close } = openBenchPlane(superuserUrl);
  const database = new pg.Pool({ connectionString: superuserUrl, max: 10 });
  database.on('error', () => {}); // a fault may have cut the connection
  const dispatcher = new Agent({ headersTimeout: 60_000, bodyTimeout: 60_000 });

  async function send(url: string, method: Method, bearer: string, body?: object): Promise<AccessProbeResponse> {
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

  /**
   * Sends the request until its outcome is known. A repeat can mean that the change took longer, or that nothing is
   * left to do.
   */
  async function insist(
    url: string,
    method: Method,
    bearer: () => Promise<string>,
    body?: object,
  ): Promise<AccessProbeResponse> {
    for (let isAgain = false; ; isAgain = true) {
      const response = await send(url, method, await bearer(), body);
      if (response.status === 503 || response.status === 504) continue;
      if (response.status < 300 || (isAgain && response.status === 409)) return response;
      throw new Error(`${method} ${url}: ${response.status} ${response.text}`);
    }
  }

  function testEnvironmentOf(organisationId: string, manager: number): TestEnvironment {
    const prover = { kind: 'person', personId: 'prover', name: 'prover@example.org', address: null } as const;
    const actor = { ...prover, organisationId, role: 'owner' } as const;
    const bearer = () => signAssertion(actor, environment, plane.secrets.managementKey);
    const base = `${nodes[manager]?.managementUrl}/organisations/${toId('org', organisationId)}`;
    return {
      environment,
      ...(upstream && { observeForwarded: upstream.observeMutations }),
      peppers: plane.secrets.peppers,
      superuser: async (text, values) => (await database.query(text, values)).rows,
      ask: (node, token, { method, path, body }) => send(`${nodes[node]?.apiUrl}${path}`, method, token, body),
      manage: (method, path, body) => insist(base + path, method, bearer, body),
    };
  }

  /** Creates an app that is approved for every scope and authorised by the servers of the upstream API. */
  async function newLiveSubject(
    testEnvironment: TestEnvironment,
    organisationId: string,
    manager: number,
  ): Promise<UpstreamSubject> {
    const appId = toId('app', newUuid());
    const base = `${nodes[manager]?.managementUrl}`;
    const itself = () => signAssertion(consoleActor(organisationId), environment, plane.secrets.managementKey);
    const order = { version: 1, name: 'Proof', scopes: SCOPES, maxServers: null, standing: 'active' };
    const path = `/organisations/${toId('org', organisationId)}/apps/${appId}/live-access`;
    await insist(base + path, 'PUT', itself, order);
    const scopes = SCOPES.map((scope) => ({ scope, state: 'authorised' }));
    let version = 0;
    const state: UpstreamSubject['state'] = (serverId, wanted) => {
      version += 1;
      const statement = { version, serverName: 'Harbour', state: wanted, scopes };
      return insist(`${base}/ingest/apps/${appId}/servers/${serverId}`, 'PUT', async () => INGEST_KEY, statement);
    };
    const serverIds = upstream?.serverIds ?? [];
    for (const serverId of serverIds) await state(serverId, 'authorised');
    const publish: UpstreamSubject['publish'] = (serverId) =>
      insist(
        `${base}/ingest/events`,
        'POST',
        async () => INGEST_KEY,
        reportedEvent('publications:read', serverId, appId),
      );
    return { testEnvironment, appId, serverIds, state, publish };
  }

  return {
    nodes,
    database,
    changesOf: (subject) => ('state' in subject ? restrictionsOf(subject) : changesOf(subject)),
    async newSubject(manager = 0) {
      const organisationId = newUuid();
      const testEnvironment = testEnvironmentOf(organisationId, manager);
      if (upstream) return newLiveSubject(testEnvironment, organisationId, manager);
      const appId: string = JSON.parse((await testEnvironment.manage('POST', '/apps', { name: 'Proof' })).text).id;
      await testEnvironment.manage('PATCH', `/apps/${appId}`, { capturesBodies: true });
      const list: { data: { serverId: string }[] } = JSON.parse(
        (await testEnvironment.manage('GET', `/apps/${appId}/installations`)).text,
      );
      return { testEnvironment, appId, serverIds: list.data.map(({ serverId }) => serverId) };
    },
    async stop() {
      await dispatcher.destroy();
      await Promise.all(all.map((one) => one.stop()));
      await Promise.all([database.end(), close()]);
    },
  };
}
