// A world that takes the place of a smaller one is planned for what it will be.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../test/app.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

/** How often all servers were read so far. A connection tells what it did when it ends, or when it likes. */
async function scansOfServers(): Promise<number> {
  const { superuser } = sandbox.database;
  await superuser.query(`select pg_terminate_backend(pid, 10000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  const { rows } = await superuser.query<{ scans: number }>(
    "select seq_scan::int as scans from pg_stat_user_tables where relname = 'servers'",
  );
  return rows[0]?.scans ?? Number.NaN;
}

test('a reset reads no table of servers for each row, though Postgres took it for a small one', async () => {
  const app = await sandbox.newApp();
  await sandbox.database.superuser.query('vacuum analyze servers');
  const before = await scansOfServers();
  const answer = await sandbox.manage('POST', `/apps/${app.id}/world/reset`, { preset: 'busy' });
  expect(answer.status).toBe(200);
  expect((await scansOfServers()) - before).toBeLessThan(10);
});
