// Certificates are checked against the name in the URL, whatever the environment says.
// They are made here, in DER (X.690) by hand, so that the test needs no openssl.
import { generateKeyPairSync, sign } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { afterEach, expect, test, vi } from 'vitest';
import { nowMs } from './clock.ts';
import { createOutbound } from './outbound.ts';

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const utcTime = (ms: number) =>
  der(0x17, Buffer.from(`${new Date(ms).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));
const integer = (value: number) => der(0x02, Buffer.from([value]));

/** A self-signed ECDSA certificate (RFC 5280) that is its own authority. */
const certificateFor = (dnsName: string) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaSha256 = sequence(oid('2a8648ce3d040302'));
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(dnsName)))));
  const altNames = sequence(der(0x82, Buffer.from(dnsName)));
  const isAuthority = sequence(der(0x01, Buffer.from([0xff])));
  const toBeSigned = sequence(
    der(0xa0, integer(2)),
    integer(1),
    ecdsaSha256,
    name,
    sequence(utcTime(nowMs() - 86_400_000), utcTime(nowMs() + 86_400_000)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(oid('551d11'), der(0x04, altNames)), sequence(oid('551d13'), der(0x04, isAuthority)))),
  );
  const signature = sign('sha256', toBeSigned, privateKey);
  const bytes = sequence(toBeSigned, ecdsaSha256, der(0x03, Buffer.from([0]), signature));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
};

const closers: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
  vi.unstubAllEnvs();
});

/** A TLS receiver on loopback with a certificate for hook.test; what it read is in `seen`. */
const receiver = async (isSilent = false) => {
  let onClose = (): void => undefined;
  const isClosed = new Promise<void>((resolve) => {
    onClose = resolve;
  });
  const identity = certificateFor('hook.test');
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
  const outbound = createOutbound({ allowHosts: hosts, lookup: async () => ['127.0.0.1'], ...ca });
  closers.push(() => outbound.close());
  const limits = { connectTimeoutMs: 2000, totalTimeoutMs: 1000, maxResponseBytes: 100 };
  return outbound.post({ url, headers: {}, body: Buffer.from('{}'), ...limits });
};

test('a certificate of a known authority for the name in the URL is accepted, and the name is sent (SNI)', async () => {
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

test('a silent receiver is a timeout, after which its TLS connection is closed', async () => {
  const { port, seen, isClosed, authority } = await receiver(true);
  const result = await post(`https://hook.test:${port}/`, port, authority);
  expect(result).toMatchObject({ kind: 'failure', failure: 'timeout' });
  await isClosed;
  expect(seen.text).toContain('POST / HTTP/1.1');
});
