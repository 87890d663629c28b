// `slipway api` with operations whose response is not JSON: files, and text.
import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publicDocument } from '../../server/src/listeners/sandbox-api.ts';
import { BinaryBody } from '../src/binary.ts';
import { toDocument } from '../src/served-contract.ts';
import { newTerminal, type Terminal } from './terminal.ts';

/** Not UTF-8, with a control sequence of terminals, and without a line break at the end. */
const FILE = Buffer.from([0x25, 0x50, 0x44, 0x46, 0xff, 0x00, 0x1b, 0x5b, 0x32, 0x4a, 0xc3]);
const RESPONSES: Record<string, [contentType: string, body: Buffer, declaredBefore?: string]> = {
  getReport: ['application/pdf', FILE, 'application/json'],
  getFile: ['application/pdf', FILE],
  printFile: ['image/png', FILE],
  getEmptyFile: ['application/pdf', Buffer.alloc(0)],
  getLatin: ['text/plain; charset=iso-8859-1', Buffer.from('Grüße', 'latin1')],
  getText: ['text/plain; charset=utf-8', Buffer.from('Grüße')],
  getHostileType: [`application/x-\u009b2J`, FILE],
};

let server: Server;
let terminal: Terminal;
beforeAll(async () => {
  const document = toDocument(JSON.parse(JSON.stringify(publicDocument('http://localhost', 'http://localhost'))));
  const { get } = document.paths['/v1/me'] ?? {};
  if (!get) throw new Error('The document has no getMe.');
  for (const [operationId, [contentType, , before = contentType]] of Object.entries(RESPONSES)) {
    const body = { schema: { type: 'string' } };
    const responses = { 200: { description: 'A body.', content: { [before]: body, [contentType]: body } } };
    const method = operationId.startsWith('get') ? 'get' : 'post';
    document.paths[`/v1/${operationId}`] = { [method]: { ...get, operationId, responses } };
  }
  server = createServer(({ url = '' }, response) => {
    const [contentType, body] = RESPONSES[url.slice('/v1/'.length)] ?? [
      'application/json',
      Buffer.from(JSON.stringify(document)),
    ];
    response.writeHead(200, { 'content-type': contentType }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  terminal = newTerminal();
  terminal.env.SLIPWAY_API_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP address
  terminal.env.SLIPWAY_KEY = 'slw_test_x';
});
afterAll(() => {
  terminal.remove();
  server.close();
  server.closeAllConnections();
});

test('a response that is not text reaches a pipe with its exact bytes', async () => {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['scripts/run-ts.mjs', 'cli/src/main.ts', 'api', 'getFile'],
    {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { PATH: process.env.PATH ?? '', ...terminal.env },
      encoding: 'buffer',
    },
  );
  expect([stdout, stderr.toString()]).toEqual([FILE, '']);
});

test.each([
  'getFile',
  'printFile',
  'getEmptyFile',
  'getLatin',
  'getReport',
])('the bytes of %s are written unchanged', async (name) => {
  const { code, out, err, bytes } = await terminal.run(['api', name]);
  expect([code, out, err]).toEqual([0, '', '']);
  expect(bytes).toEqual(RESPONSES[name]?.[1]);
});

test.each([
  ['getFile', 'application/pdf'],
  ['printFile', 'image/png'],
])('a terminal shows type and size of a response to %s, and none of its bytes', async (name, type) => {
  const { code, out, err, bytes } = await terminal.run(`api ${name}`, { isTerminal: true });
  expect([code, out, bytes.length]).toEqual([0, '', 0]);
  expect(err).toBe(`The response is not text: ${type}, 11 bytes. To save it, run the command with > FILE.\n`);
});

test.each([true, false])('text in UTF-8 is printed as text (on a terminal: %s)', async (isTerminal) => {
  const { code, out, bytes } = await terminal.run('api getText', { isTerminal });
  expect([code, out, bytes.length]).toEqual([0, 'Grüße\n', 0]);
});

test('a content type cannot control the terminal', async () => {
  const { err } = await terminal.run('api getHostileType', { isTerminal: true });
  expect(err).toContain(String.raw`application/x-\x9b2J, 11 bytes`);
});

test('the result of a tool describes a binary body, because JSON cannot contain it', () => {
  expect(JSON.stringify(new BinaryBody('application/pdf', FILE))).toBe('{"contentType":"application/pdf","bytes":11}');
});
