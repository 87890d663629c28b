// The committed contract and SDK equal the output of the generator, and the texts of scopes are complete.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { wantedFiles } from '../../scripts/contract-files.ts';

test.each(Object.entries(await wantedFiles()))('%s equals the generated file', async (path, text) => {
  const present = await readFile(new URL(`../../${path}`, import.meta.url), 'utf8').catch(() => '');
  // toEqual would print a difference of thousands of lines.
  expect(present === text, `${path} is out of date. Run \`npm run contract\` and commit what it writes.`).toBe(true);
});

test('the text of tickets:create says that the scope permits reads', async () => {
  const contract = JSON.parse(await readFile(new URL('../../contract/openapi.json', import.meta.url), 'utf8'));
  expect(contract.paths['/v1/servers/{serverId}/tickets'].get.security).toEqual([{ key: ['tickets:create'] }]);
  const meanings = contract.components.securitySchemes.key['x-scopes'];
  expect(meanings['tickets:create']).toBe('Create tickets, and read those that the app created');
});
