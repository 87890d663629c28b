// The API of a production plane is assembled without the simulation.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signAssertion } from '../src/access/authority/index.ts';
import { newUuid, toId } from '../src/kit/crypto/ids.ts';
import { consoleOnlyOperations, managementOf } from '../src/listeners/management.ts';
import { productionApi } from '../src/listeners/production-api.ts';
import { sandboxManagement } from '../src/listeners/sandbox-management.ts';
import { type Production, startProduction } from './production.fixture.ts';

let production: Production;
beforeAll(async () => {
  production = await startProduction();
});
afterAll(() => production.close());

/** Returns the authorization of an owner of the organisation for the management API. */
async function authorise(organisationId: string): Promise<string> {
  const actor = { kind: 'person', personId: 'p', name: 'imke@example.org', role: 'owner', address: null } as const;
  const key = production.options.managementKey;
  return `Bearer ${await signAssertion({ ...actor, organisationId, hasFreshFactor: true }, 'production', key)}`;
}

test('production ignores the header Sandbox-Simulate and fault rules', async () => {
  const app = await production.newApp();
  const { token } = await app.key();
  await production.database.superuser.query(
    `insert into faults (app_id, fault_id, share, problem_code, is_reset, created_by)
     values ($1, gen_random_uuid(), 1, 'gone', false, 'c')`,
    [app.uuid],
  );
  const answer = await production.call('/v1/me', token, { headers: { 'sandbox-simulate': 'code=gone' } });
  expect([answer.status, answer.headers.get('sandbox-simulated')]).toEqual([200, null]);
  expect(answer.body.environment).toBe('production');
});

test('the contract of production does not contain the simulation', () => {
  const text = JSON.stringify(productionApi().document('https://api.example.org', 'https://api.example.org/p'));
  expect(text).not.toMatch(/simulat(e|ed|ion)\b.*fault|sandbox-simulat/i);
});

test('production serves no operation on sandbox data, on faults, or for calls by a key’s id', async () => {
  const served = managementOf(productionApi(), () => '');
  const [there, paths] = [new Set(served.map(({ id }) => id)), new Set(served.map(({ path }) => path))];
  const absent = sandboxManagement.filter(({ id }) => !there.has(id));
  expect(absent.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['createApp', 'resetWorld', 'createFault', 'triggerEvent', 'createCall']),
  );
  const app = await production.newApp();
  const { organisationId } = app;
  const authorization = await authorise(organisationId);
  const ids: Record<string, string> = { organisationId: toId('org', organisationId), appId: app.id };
  for (const { id, method, path } of absent) {
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? toId('key', newUuid()));
    // With another operation on the path the response is a 405, which production-plane.test.ts checks through the
    // Console.
    if (paths.has(path)) continue;
    const { status } = await fetch(production.managementUrl + address, { method, headers: { authorization } });
    expect([id, status]).toEqual([id, 404]);
  }
});

test('an explanation of access in production does not name the simulation', async () => {
  const { id, organisationId } = await production.newApp();
  const path = `/organisations/${toId('org', organisationId)}/apps/${id}/access/getMe`;
  const authorization = await authorise(organisationId);
  const answer = await fetch(production.managementUrl + path, { headers: { authorization } });
  expect(answer.status).toBe(200);
  const { notEvaluated } = (await answer.json()) as { notEvaluated: string[] };
  expect(notEvaluated.join()).toContain('rate limit');
  expect(notEvaluated.join()).not.toMatch(/fault|simulat/i);
});

test('the operation that sets live access exists in production only', () => {
  const of = [...sandboxManagement, ...consoleOnlyOperations].map(({ id }) => id);
  expect(of).toContain('setOrganisationStatus');
  expect(of).not.toContain('setLiveAccess');
});
