// A production plane has no way to the simulation: its API is assembled without one.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveManagement } from '../src/management.ts';
import { productionApi } from '../src/production-api.ts';
import { productionManagement } from '../src/production-management.ts';
import { type Sandbox, startSandbox } from './app.ts';
import { startProductionNode } from './node.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

test('looks at no such header and follows no rule', async () => {
  const node = await startProductionNode(sandbox);
  try {
    await sandbox.database.superuser.query(
      `insert into faults (app_id, fault_id, share, problem_code, is_reset, created_by)
       values ($1, gen_random_uuid(), 1, 'gone', false, 'c')`,
      [node.appId],
    );
    const answer = await node.call('/v1/me', { 'sandbox-simulate': 'code=gone' });
    expect([answer.status, answer.headers['sandbox-simulated']]).toEqual([200, undefined]);
    expect(answer.body.environment).toBe('production');
  } finally {
    await node.close();
  }
});

test('has nothing of it in its contract', () => {
  const text = JSON.stringify(productionApi.document('https://api.example.org', 'https://api.example.org/p'));
  expect(text).not.toMatch(/simulat(e|ed|ion)\b.*fault|sandbox-simulat/i);
});

test('has no operation for rules', async () => {
  const management = serveManagement(
    productionManagement(productionApi),
    { ...sandbox.plane, environment: 'production' },
    () => {},
  );
  expect(management.hasRoute({ method: 'GET', url: '/organisations/:organisationId/apps/:appId/keys' })).toBe(true);
  expect(management.hasRoute({ method: 'GET', url: '/organisations/:organisationId/apps/:appId/faults' })).toBe(false);
  await management.close();
});
