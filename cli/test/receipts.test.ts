// Tests receipts of revocations in the terminal: get one, and verify it offline. Uses a real Console with a sandbox, and
// runs the commands of the guide.
import { execFileSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { deriveReceiptKey } from '../../server/src/inspector/receipts/receipt-key.ts';
import { createSigningKey, signJws, toPublicJwk } from '../../server/src/kit/crypto/jws.ts';
import { verifyReceipt } from '../src/receipt.ts';
import { type Crane, openCrane } from './signed-out.ts';

const TYPE = 'slipway-revocation-receipt+jws';
const folder = mkdtempSync(join(tmpdir(), 'slipway-receipts-'));
const receiptFile = join(folder, 'receipt.jws');
const keysFile = join(folder, 'receipt-keys.json');
let home: Crane;
let receiptId: string;
let receipt: string;
let keys: string;

beforeAll(async () => {
  home = await openCrane();
  const { terminal, keyId, site } = home;
  const { lines } = await terminal.run(`keys revoke ${keyId} --yes --json receiptId`);
  receiptId = String(lines()[0]?.receiptId);
  receipt = (await terminal.run(`receipts get ${receiptId}`)).out;
  writeFileSync(receiptFile, receipt);
  // The public listener of the environment serves the keys; the tests have no such listener.
  const { masterKeys, environment } = site.plane.receipts;
  keys = JSON.stringify({ keys: [toPublicJwk(deriveReceiptKey(masterKeys, environment).publicKey)] });
  writeFileSync(keysFile, keys);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await home.close();
});

const verify = (file: string, key = keysFile) => home.terminal.run(['receipts', 'verify', file, '--key', key]);
const write = (name: string, content: string | Buffer): string => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};

test('a revocation names its receipt, which is listed and printed', async () => {
  const [listed] = (await home.terminal.run('receipts list')).lines();
  expect(listed).toMatchObject({ id: receiptId, keyIds: [home.keyId], keys: 1 });
  const [record] = (await home.terminal.run(`receipts get ${receiptId} --json jws,keysUrl`)).lines();
  expect(record).toEqual({ jws: receipt.trim(), keysUrl: expect.stringMatching(/\/receipt-keys$/) });
});

test('a receipt is verified offline, with a key set, one key or a public key in PEM', async () => {
  const jwk = JSON.parse(keys).keys[0];
  const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ format: 'pem', type: 'spki' }).toString();
  const noConnection = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('There is no network.'));
  for (const key of [keysFile, write('one.json', JSON.stringify(jwk)), write('key.pem', pem)]) {
    const { code, out, err } = await verify(receiptFile, key);
    expect([code, err]).toEqual([0, 'The signature is valid.\n']);
    expect(JSON.parse(out)).toMatchObject({ receiptId, revoked: { keys: [{ keyId: home.keyId }] } });
  }
  expect(noConnection).not.toHaveBeenCalled();
  noConnection.mockRestore();
});

test('a receipt with one altered byte is refused, whichever byte it is', () => {
  const bytes = Buffer.from(receipt);
  const accepted: number[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    for (const change of [1, 2, 4, 8, 16, 32, 64, 128]) {
      const altered = Buffer.from(bytes);
      altered.writeUInt8(bytes.readUInt8(at) ^ change, at);
      try {
        verifyReceipt(altered, keys);
        accepted.push(at);
      } catch {
        // Refused, as it must be.
      }
    }
  }
  expect(accepted).toEqual([]);
  expect(verifyReceipt(bytes, keys)).toMatchObject({ receiptId });
}, 120_000);

test('a receipt with a missing or an added byte is refused', () => {
  const refused = [receipt.slice(1), receipt.slice(0, -2), `${receipt}\n`, ` ${receipt}`, '', receipt.repeat(2)];
  for (const text of refused) expect(() => verifyReceipt(Buffer.from(text), keys)).toThrow();
});

describe('a receipt of another signer is refused', () => {
  const stranger = createSigningKey(Buffer.alloc(32, 7));
  const payload = { receiptId: 'rct_00000000000000000000000000' };
  test.each<[string, () => [receipt: string, keys: string]]>([
    ['with a key that the file does not name', () => [signJws(payload, TYPE, stranger), keys]],
    [
      'with a key that pretends to be one of the file',
      () => [signJws(payload, TYPE, { ...stranger, keyId: JSON.parse(keys).keys[0].kid }), keys],
    ],
    [
      'with the key of another environment',
      () => [receipt, JSON.stringify({ keys: [toPublicJwk(stranger.publicKey)] })],
    ],
    [
      'of another type',
      () => [signJws(payload, 'JWT', stranger), JSON.stringify({ keys: [toPublicJwk(stranger.publicKey)] })],
    ],
    [
      'without a signature',
      () => {
        const header = Buffer.from(JSON.stringify({ alg: 'none', typ: TYPE, kid: stranger.keyId })).toString(
          'base64url',
        );
        return [`${header}.e30.AA`, JSON.stringify({ keys: [toPublicJwk(stranger.publicKey)] })];
      },
    ],
  ])('%s', async (name, of) => {
    const [text, keySet] = of();
    const { code, out, err } = await verify(write('other.jws', text), write('other.json', keySet));
    expect([name, code, out]).toEqual([name, 1, '']);
    expect(err).toMatch(/receipt/);
  });
});

test('a file that is no key is refused as a wrong command line', async () => {
  expect((await verify(receiptFile, write('no.pem', 'no key'))).code).toBe(3);
  expect((await verify(join(folder, 'none.jws'))).code).toBe(3);
});

test('the commands of the guide for OpenSSL verify a receipt', () => {
  const guide = readFileSync(new URL('../../docs/security/revocation-receipts.md', import.meta.url), 'utf8');
  const commands = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text).at(-1) ?? '';
  expect(commands).toContain('openssl pkeyutl -verify');
  const run = () => execFileSync('sh', ['-ec', commands], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  expect(run()).toContain('Signature Verified Successfully');
  const [header = '', payload = '', signature = ''] = receipt.split('.');
  const other = Buffer.from(payload, 'base64url').toString().replace('"version":1', '"version":2');
  writeFileSync(receiptFile, `${header}.${Buffer.from(other).toString('base64url')}.${signature}`);
  expect(run).toThrow();
  writeFileSync(receiptFile, receipt);
});
