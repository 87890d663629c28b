// The table of operations that the CLI makes of a served document.
import { expect, test } from 'vitest';
import { publicDocument } from '../../server/src/listeners/sandbox-api.ts';
import { DEFAULT_TABLE } from '../src/api-operation.ts';
import type { ApiDocument } from '../src/document-operations.ts';
import { tableUnder, toDocument } from '../src/served-contract.ts';

const documentOf = (): ApiDocument =>
  toDocument(JSON.parse(JSON.stringify(publicDocument('http://localhost:4000', 'http://localhost:4000/problems'))));

test('the table of the default contract is the built-in table, with open presets of keys', () => {
  const { operations, schemas } = tableUnder(documentOf());
  expect(operations).toEqual(DEFAULT_TABLE.operations);
  expect(schemas.v1).toEqual(DEFAULT_TABLE.schemas.v1);
  const { KeyInput, ...others } = schemas.management;
  const { KeyInput: builtIn, ...builtInOthers } = DEFAULT_TABLE.schemas.management;
  expect(others).toEqual(builtInOthers);
  expect(KeyInput).not.toEqual(builtIn);
});

test('an operation whose id the management API or confirmChange has gets a name of its own', () => {
  const document = documentOf();
  const { get } = document.paths['/v1/me'] ?? {};
  if (!get) throw new Error('The document has no getMe.');
  for (const operationId of ['listApps', 'v1_listApps', 'confirmChange'])
    document.paths[`/v1/${operationId}`] = { get: { ...get, operationId } };
  const { operations } = tableUnder(document);
  expect(operations.listApps).toEqual(DEFAULT_TABLE.operations.listApps);
  const names = ['v1_listApps', 'v1_v1_listApps', 'v1_confirmChange'];
  expect(names.map((name) => operations[name]?.path)).toEqual(['/v1/listApps', '/v1/v1_listApps', '/v1/confirmChange']);
});

test('a parameter with the name of another argument gets a new argument, and is sent under its declared name', () => {
  const document = documentOf();
  const { get } = document.paths['/v1/me'] ?? {};
  if (!get) throw new Error('The document has no getMe.');
  const parameter = (place: 'path' | 'query', argument: string) => ({
    ...{ name: 'body', in: place, required: true, 'x-argument': argument, schema: { type: 'string' } },
  });
  const parameters = [parameter('path', 'bodyPath'), parameter('query', 'bodyQuery')];
  document.paths['/v1/parts/{body}'] = { get: { ...get, operationId: 'getPart', parameters } };
  const { path, parameters: read } = tableUnder(document).operations.getPart ?? {};
  expect([path, read?.map(({ name, sentAs }) => [name, sentAs])]).toEqual([
    '/v1/parts/{bodyPath}',
    [
      ['bodyPath', undefined],
      ['bodyQuery', 'body'],
    ],
  ]);
});

test('refuses an answer that is no document', () => {
  for (const value of [undefined, null, [], 'text', { paths: {} }])
    expect(() => toDocument(value)).toThrow('the answer is no OpenAPI document');
});
