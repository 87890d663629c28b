// Replacing a small world by a larger one uses plans for the larger one.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../test/app.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

/**
 * Returns how often the table of servers was scanned. Connections are terminated first, because they report their
 * statistics when they end.
 */
async function scansOfServers(): Promise<number> {
  const { superuser } = sandbox.database;
  await superuser.query(`select pg_terminate_backend(pid, 10000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  const { rows } = await superuser.query<{ scans: number }>(
    "select seq_scan::int as scans from pg_stat_user_tables where relname = 'servers'",
  );
  return rows[0]?.scans ?? Number.NaN;
}

test('a reset does not scan the servers for each row, even if the statistics say that the table is small', async () => {
  const app = await sandbox.newApp();
  await sandbox.database.superuser.query('vacuum analyze servers');
  const before = await scansOfServers();
  const answer = await sandbox.manage('POST', `/apps/${app.id}/world/reset`, { preset: 'busy' });
  expect(answer.status).toBe(200);
  expect((await scansOfServers()) - before).toBeLessThan(10);
});
