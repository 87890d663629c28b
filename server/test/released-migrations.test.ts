// Installations of the last release have exactly these migrations, byte by byte.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Release } from '../../scripts/contract.ts';
import { requiredMigrations } from '../src/boot/process.ts';

const file = new URL('../../contract/released/release.json', import.meta.url);
const { migrations } = JSON.parse(readFileSync(file, 'utf8')) as Release; // written by a release

test.each(['plane', 'console'] as const)('no migration of the release was changed or removed: %s', async (kind) => {
  const now = (await requiredMigrations(kind)).map(({ name, checksum }) => [name, checksum]);
  const released = Object.entries(migrations[kind]);
  expect(now.slice(0, released.length)).toEqual(released);
});
