// Tests responses that are neither JSON nor text, over real HTTP.
import { createApi, SlipwayConnectionError } from '@slipway/sdk';
import { expect, test } from 'vitest';
import { failure, json, KEY, type Peer, problem, startPeer } from './peer.ts';

/** Not UTF-8, and with the bytes of a byte order mark, which decoding would remove. */
const PICTURE = Buffer.from([0xef, 0xbb, 0xbf, 0x89, 0x50, 0x4e, 0x47, 0x00, 0xff, 0xc3]);

interface Operations {
  getPicture: { input: Record<never, never>; output: Blob };
  getTable: { input: Record<never, never>; output: string };
}

const open = ({ url: baseUrl }: Peer, options = {}) =>
  createApi<Operations>(
    {
      getPicture: { method: 'GET', path: '/v1/picture', isBinary: true },
      getTable: { method: 'GET', path: '/v1/table', isText: true },
    },
    { baseUrl, key: KEY, ...options },
  );

test('a binary operation returns a Blob with the exact bytes and the type of the response', async () => {
  const peer = await startPeer(
    (response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(PICTURE),
  );
  const picture = await open(peer).getPicture();
  expect([picture instanceof Blob, picture.type]).toEqual([true, 'image/png']);
  expect(Buffer.from(await picture.arrayBuffer())).toEqual(PICTURE);
  expect(peer.received[0]?.headers.accept).toBe('*/*');
});

test('a binary operation returns a Blob if the response is JSON, text or empty', async () => {
  const bodies = ['{"a":1}', 'Grüße', ''];
  for (const body of bodies) {
    const type = body.startsWith('{') ? 'application/json' : 'text/plain; charset=utf-8';
    const peer = await startPeer((response) => void response.writeHead(200, { 'content-type': type }).end(body));
    const data = await open(peer).getPicture();
    expect([data instanceof Blob, await data.text()]).toEqual([true, body]);
  }
});

test('a text operation returns a string', async () => {
  const peer = await startPeer((response) => void response.writeHead(200, { 'content-type': 'text/csv' }).end('a,ü\n'));
  expect(await open(peer).getTable()).toBe('a,ü\n');
});

test('a refused binary operation rejects with the problem, and is retried', async () => {
  const peer = await startPeer(problem(503, 'unavailable'), problem(404, 'not_found'));
  expect(await failure(open(peer).getPicture())).toMatchObject({ status: 404, code: 'not_found' });
  expect(peer.received).toHaveLength(2);
  expect(await failure(open(await startPeer(json(302, {}))).getPicture())).toMatchObject({ status: 302 });
});

test('a binary response that ends early is a connection error', async () => {
  const peer = await startPeer((response) => {
    response
      .writeHead(200, { 'content-type': 'image/png', 'content-length': '100' })
      .write(PICTURE, () => response.destroy());
  });
  expect(await failure(open(peer, { maxRetries: 0 }).getPicture())).toBeInstanceOf(SlipwayConnectionError);
});
