// The bodies that the Console and the document show for creations of a contract of an operator, over HTTP.
import { describe, expect, test, vi } from 'vitest';
import { contractScript } from '../src/listeners/contract-script.ts';
import { fileOfType } from '../src/resources/operations/declared-file.ts';
import { json } from './app.ts';
import { key, sandbox, useOwnContract } from './own-contract.fixture.ts';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('contracts/theatre', import.meta.url).pathname;
});

useOwnContract();

interface ServedDocument {
  paths: Record<
    string,
    { post?: { requestBody?: { content: Record<string, { examples?: Record<string, unknown> }> } } }
  >;
}

const post = (path: string, body: unknown) => sandbox.call(path, key.token, { ...json(body), method: 'POST' });
const firstCreation = () =>
  JSON.parse(contractScript()?.replace(/^[^{]*|;\n$/g, '') ?? '{}').firstCreation as { path: string; body: string };

describe('a shown body of a creation', () => {
  test('creates an object of new sandbox data each time that the first steps show it', async () => {
    const { path, body } = firstCreation();
    const answers = [await post(path, JSON.parse(body)), await post(path, JSON.parse(body))];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  });

  test('is the example of the document, from which the Console fills the form of the request', async () => {
    const { body } = await sandbox.call<ServedDocument>('/v1/openapi.json');
    const exampleOf = (path: string) =>
      Object(body.paths[path]?.post?.requestBody?.content['application/json']?.examples?.anObject).value;
    expect(exampleOf('/v1/concerts')).toEqual(JSON.parse(firstCreation().body));
    expect((await post('/v1/halls', exampleOf('/v1/halls'))).status).toBe(201);
  });
});

test('a query parameter with the name of an array selects the objects whose array contains the value', async () => {
  // Sandbox data has no dates after 2025.
  const concert = { ...JSON.parse(firstCreation().body), dates: ['2031-06-01', '2031-06-02'] };
  const { body: made } = await sandbox.call<object>('/v1/concerts', key.token, { ...json(concert), method: 'POST' });
  const on = async (day: string) => (await sandbox.call(`/v1/concerts?dates=${day}`, key.token)).body;
  expect(await on('2031-06-02')).toEqual([made]);
  expect(await on('2031-06-03')).toEqual([]);
});

describe('a file of the sandbox', () => {
  const path = '/v1/concerts/6d1f0a52-8c1e-4b7a-9f63-2a7f5d0c9e11';
  const bytesOf = async (address: string, method = 'GET', more: Record<string, string> = {}) => {
    const headers = { ...more, authorization: `Bearer ${key.token}`, 'idempotency-key': address };
    const response = await fetch(sandbox.apiUrl + path + address, { method, headers });
    return [response.headers.get('content-type'), Buffer.from(await response.arrayBuffer())] as const;
  };

  test.each([
    ['/image-png', 'image/png'],
    ['/image-gif', 'image/gif'],
    ['/image-jpeg', 'image/jpeg'],
    ['/image-svg-xml', 'image/svg+xml'],
    ['/application-pdf', 'application/pdf'],
    ['/text-csv', 'text/csv'],
  ])('of %s has the bytes of its type', async (address, type) => {
    expect(await bytesOf(address)).toEqual([type, fileOfType(type)]);
  });

  test.each([
    ['text/csv', 'text/csv; charset=utf-8'],
    ['image/svg+xml', 'image/svg+xml; charset=utf-8'],
    ['*/*', 'application/pdf'],
  ])('with the header Accept: %s has the declared type %s and its bytes', async (accept, type) => {
    expect(await bytesOf('/report', 'GET', { accept })).toEqual([type, fileOfType(accept === '*/*' ? type : accept)]);
  });

  test('of a change has the bytes of its type, also in a repeated response', async () => {
    const expected = ['image/png', fileOfType('image/png')];
    expect([await bytesOf('/badge', 'POST'), await bytesOf('/badge', 'POST')]).toEqual([expected, expected]);
  });
});
