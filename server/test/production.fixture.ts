// A production plane for tests: on a database of its own that is marked as production's, with its two listeners on real ports, and apps that
// somebody has approved.
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { newKeyToken, SCOPES, type Scope, verifierOf } from '../src/features/authority/index.ts';
import { keepHouse } from '../src/features/housekeeping/index.ts';
import { newUuid, toId } from '../src/kit/ids.ts';
import { secret } from '../src/kit/secret.ts';
import { serveManagement } from '../src/management.ts';
import type { PlaneOptions } from '../src/plane.ts';
import { createProductionApi, productionApi } from '../src/production-api.ts';
import { productionManagement } from '../src/production-management.ts';
import { claimDatabase } from '../src/provision.ts';
import { type TestPlane, testPlane } from './harness.ts';

export interface LiveApp {
  id: string;
  uuid: string;
  organisationId: string;
  /** A key with these scopes; all of them unless they are named. */
  key(scopes?: readonly Scope[]): Promise<{ id: string; token: string }>;
}

export interface Production extends TestPlane {
  apiUrl: string;
  managementUrl: string;
  errors: unknown[];
  newApp(organisationId?: string): Promise<LiveApp>;
}

async function open(app: FastifyInstance): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`; // it listens on TCP
}

export async function startProduction(changes: Partial<PlaneOptions> = {}): Promise<Production> {
  const plane = await testPlane({
    environment: 'production',
    publicUrl: 'http://production.test',
    managementKey: secret("a management key of production's tests"),
    ...changes,
  });
  await claimDatabase(plane.database.url, 'production');
  await keepHouse(plane.worker);
  const errors: unknown[] = [];
  const onInternalError = (error: unknown): void => void errors.push(error);
  const api = createProductionApi(plane.plane, { recorder: plane.recorder, trustedProxies: [], onInternalError });
  const management = serveManagement(productionManagement(productionApi), plane.plane, onInternalError);
  return {
    ...plane,
    apiUrl: await open(api),
    managementUrl: await open(management),
    errors,
    newApp: (organisationId = newUuid()) => newApp(plane, organisationId),
    async close() {
      await api.close();
      await management.close();
      await plane.close();
    },
  };
}

async function newApp({ database: { superuser }, options }: TestPlane, organisationId: string): Promise<LiveApp> {
  const uuid = newUuid();
  await superuser.query("insert into apps (app_id, organisation_id, name, created_by) values ($1, $2, 'Live', 'c')", [
    uuid,
    organisationId,
  ]);
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
        [uuid, keyId, kid, verifierOf(token, pepper), current, scopes],
      );
      return { id: toId('key', keyId), token };
    },
  };
}
