// Certificates are checked against the name in the URL, whatever the environment says. The test encodes them in DER
// (X.690) itself, so that it needs no openssl.
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { afterEach, expect, test, vi } from 'vitest';
import { certificateFor } from '../../../test/certificate.ts';
import { createOutboundClient } from './outbound.ts';

const closers: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
  vi.unstubAllEnvs();
});

/** Starts a TLS receiver on loopback with a certificate for hook.test. `seen` contains the data that it read. */
const receiver = async ({ isSilent = false, isExpired = false } = {}) => {
  let onClose = (): void => undefined;
  const isClosed = new Promise<void>((resolve) => {
    onClose = resolve;
  });
  const identity = certificateFor('hook.test', isExpired);
  const seen = { text: '', servername: '' as string | false };
  const server = createServer(identity, (socket) => {
    seen.servername = (socket as { servername?: string | false }).servername ?? '';
    socket.on('error', () => undefined);
    socket.once('close', () => onClose());
    if (!isSilent) socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'));
    socket.on('data', (chunk) => {
      seen.text += chunk.toString('latin1');
    });
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { port, seen, isClosed, authority: identity.cert };
};

const post = (url: string, port: number, extraCa?: string) => {
  const hosts = ['hook.test', 'other.test', '127.0.0.1'].map((host) => `${host}:${port}`);
  const ca = extraCa === undefined ? {} : { extraCa };
  const outbound = createOutboundClient({ allowHosts: hosts, lookup: async () => ['127.0.0.1'], ...ca });
  closers.push(() => outbound.close());
  const limits = { connectTimeoutMs: 2000, totalTimeoutMs: 1000, maxResponseBytes: 100 };
  return outbound.post({ url, headers: {}, body: Buffer.from('{}'), ...limits });
};

test('accepts a certificate of a known authority for the name in the URL, and sends the name (SNI)', async () => {
  const { port, seen, authority } = await receiver();
  const result = await post(`https://hook.test.:${port}/`, port, authority);
  expect(result).toMatchObject({ kind: 'response', status: 200 });
  expect(seen.servername).toBe('hook.test');
  expect(seen.text).toMatch(/^POST \/ HTTP\/1\.1\r\nhost: hook\.test/);
});

test.each([
  ['a self-signed certificate', 'hook.test', false],
  ['a certificate for another name', 'other.test', true],
  ['a certificate without the address in the URL', '127.0.0.1', true],
])('%s is a tls failure, and nothing is sent', async (_title, host, isKnown) => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  const { port, seen, authority } = await receiver();
  const result = await post(`https://${host}:${port}/`, port, isKnown ? authority : undefined);
  expect(result).toMatchObject({ kind: 'failure', failure: 'tls' });
  expect(seen.text).toBe('');
});

test('an expired certificate is a tls failure, and nothing is sent', async () => {
  const { port, seen, authority } = await receiver({ isExpired: true });
  const result = await post(`https://hook.test:${port}/`, port, authority);
  expect(result).toMatchObject({
    kind: 'failure',
    failure: 'tls',
    detail: expect.stringContaining('CERT_HAS_EXPIRED'),
  });
  expect(seen.text).toBe('');
});

test('a silent receiver is a timeout, after which its TLS connection is closed', async () => {
  const { port, seen, isClosed, authority } = await receiver({ isSilent: true });
  const result = await post(`https://hook.test:${port}/`, port, authority);
  expect(result).toMatchObject({ kind: 'failure', failure: 'timeout' });
  await isClosed;
  expect(seen.text).toContain('POST / HTTP/1.1');
});
