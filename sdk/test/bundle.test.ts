// Tests what a browser bundle contains: the client of the management API, and nothing for servers only.
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { readSources, root } from '../../server/test/sources.ts';

// Addresses of operations are most of the size. Raise the limit when operations are added.
const MOST_BYTES = 6_500;

async function bundled(program: string): Promise<{ code: string; imports: string[] }> {
  const build = await rolldown({
    input: 'program',
    cwd: join(root, 'console'),
    platform: 'browser',
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === 'program' ? join(root, 'console/program.js') : null),
        load: (id) => (id === join(root, 'console/program.js') ? program : null),
      },
    ],
  });
  const { output } = await build.generate({ format: 'esm', minify: true });
  await build.close();
  const [chunk] = output;
  return { code: chunk.code, imports: [...chunk.imports, ...chunk.dynamicImports] };
}

test('the bundle of the Console is small, self-contained, and contains neither /v1 nor Node modules', async () => {
  const program = `
    export { SlipwayProblem } from '@slipway/sdk';
    export { createManagement } from '@slipway/sdk/management';`;
  const { code, imports } = await bundled(program);
  expect(imports).toEqual([]);
  expect(code).toContain('/api/session');
  expect(code).not.toMatch(/\/v1\/|node:|Buffer|process\./);
  expect(gzipSync(code).length).toBeLessThan(MOST_BYTES);
});

test('the Console imports the SDK and its management client, and never webhook verification', () => {
  const sources = readSources().filter(({ path }) => path.startsWith('console/src/'));
  const targets = sources.flatMap(({ imports }) => imports.map(({ target }) => target));
  const ours = new Set(targets.filter((target) => target.startsWith('@slipway/')));
  expect([...ours].sort()).toEqual(['@slipway/sdk', '@slipway/sdk/management']);
});

test('only webhook verification imports Node modules, and no other module of the SDK imports it', () => {
  const sources = readSources().filter(({ path }) => path.startsWith('sdk/src/'));
  const importers = (wanted: RegExp) =>
    sources.filter(({ imports }) => imports.some(({ target }) => wanted.test(target))).map(({ path }) => path);
  expect(importers(/^node:/)).toEqual(['sdk/src/webhooks.ts']);
  expect(importers(/webhooks\.ts$/)).toEqual([]);
});
