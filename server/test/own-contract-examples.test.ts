// The bodies that the Console and the document show for creations of a contract of an operator, over HTTP.
import { describe, expect, test, vi } from 'vitest';
import { contractScript } from '../src/listeners/contract-script.ts';
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
