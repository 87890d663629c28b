// Production as an operator runs it: settings for its API and worker, a database, the upstream API and a receiver of
// webhooks. Tests start the processes.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '../scripts/nodes/free-port.ts';
import { type Actor, consoleActor, signAssertion } from '../server/src/access/authority/index.ts';
import { newUuid, toId } from '../server/src/kit/crypto/ids.ts';
import { secret } from '../server/src/kit/crypto/secret.ts';
import { IDENTITY_KEY, type ReferenceUpstream, startReferenceUpstream } from '../server/test/reference-upstream.ts';
import { type ExternalPostgres, startExternalPostgres } from './external-postgres.ts';
import { createInstance, type SlipwayInstance } from './slipway.ts';
import { type Answer, ask } from './visitor.ts';

const MANAGEMENT_KEY = 'a management key for tests, of no other use';
export const INGEST_KEY = 'an-ingest-key-for-tests-of-no-other-use';

/** An app of production, before its approval. */
export interface ProductionApp {
  organisationId: string;
  appId: string;
  /**
   * Calls the management API for the app as the Console's server: in the name of an authenticated owner, or in its own
   * name.
   */
  manage<Body>(method: string, path: string, body: object, as?: 'owner' | 'itself'): Promise<Answer<Body>>;
  /** Reports to production as the upstream API. */
  ingest(method: string, path: string, body: object): Promise<Answer<Record<string, unknown>>>;
}

export interface ProductionInstance extends ProductionApp {
  postgres: ExternalPostgres;
  instance: SlipwayInstance;
  upstream: ReferenceUpstream;
  settings: Record<string, string>;
  apiUrl: string;
  /** The host and port of the receiver in webhook URLs. */
  receiver: string;
  messages: { headers: Record<string, string>; body: string }[];
  remove(): Promise<void>;
}

/** The secrets of production's processes. */
export const PRODUCTION_SECRETS = {
  SLIPWAY_PRODUCTION_PEPPER: 'a pepper for tests, of no other use at all',
  SLIPWAY_PRODUCTION_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  SLIPWAY_PRODUCTION_MANAGEMENT_KEY: MANAGEMENT_KEY,
  SLIPWAY_PRODUCTION_IDENTITY_KEY: IDENTITY_KEY,
  SLIPWAY_PRODUCTION_INGEST_KEY: INGEST_KEY,
};

/** Returns a new app of a production whose processes have the secrets above. */
export function newProductionApp(managementUrl: string): ProductionApp {
  const organisationId = newUuid();
  const appId = toId('app', newUuid());
  const itself = consoleActor(organisationId);
  const owner: Actor = { ...itself, kind: 'person', personId: 'p', name: 'imke@example.org', hasFreshFactor: true };
  const as = (key: string): Record<string, string> => ({
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
  });
  return {
    organisationId: toId('org', organisationId),
    appId,
    async manage(method, path, body, who = 'owner') {
      const actor = who === 'owner' ? owner : itself;
      const headers = as(await signAssertion(actor, 'production', secret(MANAGEMENT_KEY)));
      const base = `${managementUrl}/organisations/${toId('org', organisationId)}/apps/${appId}`;
      return ask(base + path, { method, headers, body: JSON.stringify(body) });
    },
    ingest: (method, path, body) =>
      ask(`${managementUrl}/ingest${path}`, { method, headers: as(INGEST_KEY), body: JSON.stringify(body) }),
  };
}

/** Starts everything on a new Postgres, or on the data that `prepare` copies into its folder. */
export async function startProductionInstance(prepare?: (dataDir: string) => void): Promise<ProductionInstance> {
  const [postgres, instance, upstream] = await Promise.all([
    startExternalPostgres(prepare),
    createInstance(),
    startReferenceUpstream(),
  ]);
  const messages: ProductionInstance['messages'] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    messages.push({ headers: request.headers as Record<string, string>, body }); // each header of a delivery occurs once
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver = `127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP address
  const ports = [String(await freePort()), String(await freePort())] as const;
  const [apiUrl, managementUrl] = ports.map((port) => `http://127.0.0.1:${port}`) as [string, string]; // two ports
  return {
    ...newProductionApp(managementUrl),
    ...{ postgres, instance, upstream, apiUrl, receiver, messages },
    settings: {
      ...PRODUCTION_SECRETS,
      SLIPWAY_PRODUCTION_DATABASE_URL: postgres.productionUrl,
      SLIPWAY_PRODUCTION_API_PORT: ports[0],
      SLIPWAY_PRODUCTION_MANAGEMENT_PORT: ports[1],
      SLIPWAY_PRODUCTION_API_URL: apiUrl,
      SLIPWAY_PRODUCTION_UPSTREAM_URL: upstream.url,
      SLIPWAY_WEBHOOK_ALLOW_HOSTS: receiver,
    },
    async remove() {
      server.close();
      await upstream.close();
      await instance.remove();
      await postgres.remove();
    },
  };
}
