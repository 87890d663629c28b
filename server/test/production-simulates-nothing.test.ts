// A production plane has no way to the simulation: its API is assembled without one.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consoleOnly } from '../src/management.ts';
import { productionApi } from '../src/production-api.ts';
import { sandboxManagement } from '../src/sandbox-management.ts';
import { type Production, startProduction } from './production.fixture.ts';

let production: Production;
beforeAll(async () => {
  production = await startProduction();
});
afterAll(() => production.close());

test('looks at no such header and follows no rule', async () => {
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

test('has nothing of it in its contract', () => {
  const text = JSON.stringify(productionApi().document('https://api.example.org', 'https://api.example.org/p'));
  expect(text).not.toMatch(/simulat(e|ed|ion)\b.*fault|sandbox-simulat/i);
});

test('and what an app may do in production is said to production alone: the sandbox has no such operation', () => {
  const of = [...sandboxManagement, ...consoleOnly].map(({ id }) => id);
  expect(of).toContain('setOrganisationStanding');
  expect(of).not.toContain('setLiveAccess');
});
