// The settings that `slipway-server check` reports for production's API.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { check } from './check.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-check-'));
afterAll(() => rmSync(folder, { recursive: true }));

const long = 'k'.repeat(32);
const UPSTREAM: Record<string, string> = {
  SLIPWAY_PRODUCTION_UPSTREAM_URL: 'https://api.example.org',
  SLIPWAY_PRODUCTION_IDENTITY_KEY: long,
  SLIPWAY_PRODUCTION_INGEST_KEY: long,
};
const PLANE = ['DATABASE_URL', 'PEPPER', 'MASTER_KEY', 'MANAGEMENT_KEY'].map((name) => `SLIPWAY_PRODUCTION_${name}`);

const reportOf = async (env: Record<string, string>): Promise<string> => {
  const config = readConfig({ SLIPWAY_DATA_DIR: folder, ...env });
  return JSON.stringify(await check('api', config, 'production'));
};

test('check reports all missing settings of production’s API, and none that is set', async () => {
  const report = await reportOf({});
  for (const name of [...PLANE, ...Object.keys(UPSTREAM)]) expect(report).toContain(name);
  const complete = await reportOf(UPSTREAM);
  for (const name of Object.keys(UPSTREAM)) expect(complete).not.toContain(name);
});

test('one message names all missing settings of the upstream API', async () => {
  expect(await reportOf({})).toContain(
    'SLIPWAY_PRODUCTION_UPSTREAM_URL, SLIPWAY_PRODUCTION_IDENTITY_KEY and SLIPWAY_PRODUCTION_INGEST_KEY are missing',
  );
  const { SLIPWAY_PRODUCTION_IDENTITY_KEY = '' } = UPSTREAM;
  expect(await reportOf({ SLIPWAY_PRODUCTION_IDENTITY_KEY })).toContain(
    'SLIPWAY_PRODUCTION_UPSTREAM_URL and SLIPWAY_PRODUCTION_INGEST_KEY are missing',
  );
});
