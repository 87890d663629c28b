// A production plane for tests: on its own database that is marked as production's, with its two listeners on real
// ports, and with approved apps.
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { computeVerifier, newKeyToken, SCOPES, type Scope } from '../src/access/authority/index.ts';
import type { PlaneOptions } from '../src/boot/plane.ts';
import { claimDatabase } from '../src/boot/provision.ts';
import { fromId, newUuid, toId } from '../src/kit/crypto/ids.ts';
import { secret } from '../src/kit/crypto/secret.ts';
import { createProductionApi } from '../src/listeners/production-api.ts';
import { createProductionManagement } from '../src/listeners/production-management.ts';
import { createUpstreamFailureCounter } from '../src/platform/upstream-failures/index.ts';
import { createGateway, type GatewayOptions } from '../src/production/gateway/index.ts';
import { type Answer, ask } from './app.ts';
import { assertContract, watchContract } from './contract-check.ts';
import { type TestPlane, testPlane } from './harness.ts';
import { IDENTITY_KEY } from './reference-upstream.ts';

export const INGEST_KEY = 'an-ingest-key-for-tests-of-no-other-use';

export interface LiveApp {
  id: string;
  uuid: string;
  organisationId: string;
  /** Creates a key with these scopes, by default with all. */
  key(scopes?: readonly Scope[]): Promise<{ id: string; token: string }>;
  /** Authorises the app on a server with these scopes, by default with all. */
  install(serverId: string, scopes?: readonly Scope[]): Promise<void>;
}

export interface Production extends TestPlane {
  apiUrl: string;
  managementUrl: string;
  errors: unknown[];
  /** Failures of the upstream API, in order. */
  failures: { operationId: string; kind: string; status: number | null }[];
  call<Body = Record<string, unknown>>(path: string, key?: string, init?: RequestInit): Promise<Answer<Body>>;
  flushFailures(): Promise<void>;
  /**
   * Moves the end of the wait for mutations with an unknown outcome to this interval from now. Returns the number of
   * these mutations.
   */
  waitFor(app: LiveApp, interval: string): Promise<number>;
  newApp(organisationId?: string): Promise<LiveApp>;
}

async function open(app: FastifyInstance): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`; // a TCP address
}

export async function startProduction(
  changes: Partial<PlaneOptions> = {},
  upstream: Partial<GatewayOptions> = {},
): Promise<Production> {
  const plane = await testPlane({
    environment: 'production',
    publicUrl: 'http://production.test',
    managementKey: secret("a management key of production's tests"),
    ...changes,
  });
  await claimDatabase(plane.database.url, 'production');
  const errors: unknown[] = [];
  const onInternalError = (error: unknown): void => void errors.push(error);
  const failures: Production['failures'] = [];
  const counter = createUpstreamFailureCounter(plane.worker, (error) => void errors.push(error));
  const gateway = createGateway({
    url: 'http://127.0.0.1:1',
    identityKey: secret(IDENTITY_KEY),
    onFailure(failure) {
      failures.push(failure);
      counter.count(failure);
    },
    ...upstream,
  });
  const options = { recorder: plane.recorder, trustedProxies: [], onInternalError };
  const api = createProductionApi(plane.plane, gateway, options);
  const management = createProductionManagement(
    plane.plane,
    { key: secret(INGEST_KEY), worker: plane.worker },
    onInternalError,
  );
  const violations = [watchContract(api, 'production'), watchContract(management, 'management')];
  const apiUrl = await open(api);
  return {
    ...plane,
    apiUrl,
    failures,
    call: (path, key, init = {}) => {
      const headers = new Headers(init.headers);
      if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
      return ask(apiUrl + path, { ...init, headers });
    },
    managementUrl: await open(management),
    errors,
    flushFailures: counter.flush,
    async waitFor({ uuid }, interval) {
      const text = 'update forwarded_mutations set leased_until = now() + $2::interval where app_id = $1';
      return (await plane.database.superuser.query(text, [uuid, interval])).rowCount ?? 0;
    },
    newApp: (organisationId = newUuid()) => newApp(plane, organisationId),
    async close() {
      await api.close();
      await management.close();
      await gateway.close();
      await counter.flush();
      await plane.close();
      assertContract(violations.flat());
    },
  };
}

async function newApp({ database: { superuser }, options }: TestPlane, organisationId: string): Promise<LiveApp> {
  const uuid = newUuid();
  await superuser.query(
    `insert into apps (app_id, organisation_id, name, created_by, approved_scopes) values ($1, $2, 'Live', 'c', $3)`,
    [uuid, organisationId, SCOPES],
  );
  return {
    id: toId('app', uuid),
    uuid,
    organisationId,
    async key(scopes = SCOPES) {
      const { current, keys } = options.peppers;
      const { token, kid } = newKeyToken('production');
      const keyId = newUuid();
      const pepper = keys[current] ?? secret('');
      await superuser.query(
        `insert into keys (app_id, key_id, kid, verifier, pepper_version, name, scopes, created_by, created_at, expires_at)
         values ($1, $2, $3, $4, $5, 'Live', $6, 'c', now(), now() + interval '1 day')`,
        [uuid, keyId, kid, computeVerifier(token, pepper), current, scopes],
      );
      return { id: toId('key', keyId), token };
    },
    async install(serverId, scopes = SCOPES) {
      const installationId = newUuid();
      const server = fromId('srv', serverId);
      await superuser.query(
        `insert into servers (app_id, server_id, name, slug, description, icon_url, locale, timezone, created_at, member_count)
         values ($1, $2, 'Harbour', '', '', '', '', '', now(), 0) on conflict do nothing`,
        [uuid, server],
      );
      await superuser.query('insert into installations (app_id, installation_id, server_id) values ($1, $2, $3)', [
        uuid,
        installationId,
        server,
      ]);
      for (const scope of scopes) {
        await superuser.query(
          `insert into installation_scopes (app_id, grant_id, installation_id, scope, since_epoch) values ($1, $2, $3, $4, 0)`,
          [uuid, newUuid(), installationId, scope],
        );
      }
    },
  };
}
