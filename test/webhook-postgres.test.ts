// Kills Postgres during webhook deliveries and restarts it: one seed of `npm run prove -- webhooks --only postgres`.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { crashPostgres } from '../prove/webhooks/postgres-crashes.ts';
import { openWebhookSetup } from '../prove/webhooks/setup.ts';
import { migrate } from '../server/src/kit/db/migrate.ts';
import { startExternalPostgres } from './external-postgres.ts';
import { copyPreparedData } from './prepared-data.ts';

test('a kill of Postgres loses no delivery, and each duplicate is explained by a failed or interrupted attempt', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-proof-'));
  const postgres = await startExternalPostgres(copyPreparedData);
  const url = postgres.settings.SLIPWAY_SANDBOX_DATABASE_URL;
  await migrate(url, new URL('../server/migrations/plane', import.meta.url).pathname);
  const setup = await openWebhookSetup(url, postgres.superuserUrl);
  try {
    const checks = await crashPostgres(setup, postgres, folder, 1);
    expect(checks.length).toBeGreaterThan(8);
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  } finally {
    await setup.close();
    await postgres.remove();
    await rm(folder, { recursive: true });
  }
});
