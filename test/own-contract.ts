// A contract of an operator as a folder, for tests that start processes with it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import type { Run, SlipwayInstance } from './slipway.ts';

/** Parts of the contract that a test changes. */
interface ContractParts {
  scopes?: Record<string, string>;
  fields?: Record<string, object>;
  /** Members of the declaration of the resource, as code. */
  members?: string;
}

/** Writes the contract of a tea shop into a new folder, and returns the folder. */
function writeContract({ scopes = {}, fields = {}, members = '' }: ContractParts = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-contract-'));
  const ownFields = { title: { type: 'string', maxLength: 40 }, grams: { type: 'integer', minimum: 1 }, ...fields };
  const ownScopes = {
    'teas:read': 'Read teas',
    'teas:write': 'Change teas',
    'events:read': 'Read events',
    ...scopes,
  };
  writeFileSync(
    join(folder, 'contract.mjs'),
    `export default (kit) => {
  const teas = kit.resource({
    file: import.meta.url, name: 'Tea', kind: 'tea', plural: 'teas', noun: 'tea', description: 'A tea of the shop.',
    path: 'teas', tag: 'Teas', idPrefix: 'tea', scope: 'teas:read', origin: 'made',
    identity: { field: 'id', form: 'integer', description: 'The number of the tea.' },
    fields: ${JSON.stringify(ownFields)}, optional: ${JSON.stringify(Object.keys(ownFields))},
    example: { id: 1, title: 'Assam', grams: 100 },
    operations: {
      listTeas: { effect: 'list', method: 'GET', path: '/teas', summary: 'List teas', scopes: ['teas:read'],
        status: 200, content: { of: 'list', in: 'data', paging: { by: 'cursor', parameter: 'after', limit: 'limit' } } },
      getTea: { effect: 'get', method: 'GET', path: '/teas/{teaId}', summary: 'Get a tea', scopes: ['teas:read'],
        status: 200, content: { of: 'object' } },
      createTea: { effect: 'create', method: 'POST', path: '/teas', summary: 'Create a tea', scopes: ['teas:write'],
        input: { schema: { type: 'object', additionalProperties: false, properties: ${JSON.stringify(ownFields)} }, required: true },
        status: 201, content: { of: 'object' } },
    },
    events: { 'tea.created': { meaning: 'A tea was created.' } },
    ${members}
  });
  return kit.defineContract({
    file: import.meta.url, name: 'teashop', version: '2.1.0', scopes: ${JSON.stringify(ownScopes)},
    keyPresets: { reader: ['teas:read'] }, resources: [teas], presets: {},
  });
};
`,
  );
  return folder;
}

/** Returns a function that writes contracts. Their folders are deleted after the tests of the file. */
export function createContractFolders(): typeof writeContract {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });
  return (parts) => {
    const folder = writeContract(parts);
    folders.push(folder);
    return folder;
  };
}

export const startWith = (instance: SlipwayInstance, folder: string, args?: string[]): Run =>
  instance.start({ SLIPWAY_CONTRACT: folder }, args);

/** Returns the errors that a refused start prints. */
export async function refusalOf(run: Run): Promise<string[]> {
  expect(await run.exited).toBe(1);
  return run.stderr().trimEnd().split('\n');
}
