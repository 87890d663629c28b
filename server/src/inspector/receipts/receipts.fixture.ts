// Reads and verifies receipts as an organisation does.
import { createPublicKey, verify } from 'node:crypto';
import { expect } from 'vitest';
import type { Answer } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import type { PublicJwk } from '../../kit/crypto/jws.ts';

export interface ReceiptContent {
  environment: string;
  iss: string;
  receiptId: string;
  organisationId: string;
  appId: string;
  requestId: string | null;
  revoked: { keys: { keyId: string; kid: string }[]; grants: { serverId: string; scopes: string[] | null }[] };
  committed: { after: string; before: string };
  epoch: number | null;
  deliveries: { cancelled: number | null; attemptsInFlight: number | null };
  mechanism: string;
  workers: { workerId: string; outcome: string; waitedMs: number; leaseMs: number | null }[] | null;
  failoverWaitMs: number | null;
  limits: string[];
  signedAt: string;
}

interface Service {
  manage<Body>(method: string, path: string, body?: unknown): Promise<Answer<Body>>;
}

/** Waits until the receipt is signed. Returns its text. */
export async function readJws(service: Service, receiptId: string): Promise<string> {
  return until(async () => {
    const path = `/revocation-receipts/${receiptId}`;
    const { status, body } = await service.manage<{ jws: string | null }>('GET', path);
    expect([receiptId, status]).toEqual([receiptId, 200]);
    return body.jws ?? undefined;
  });
}

/** Waits until the receipt is signed, and verifies it with the published keys. Returns its content. */
export async function readReceipt(
  service: Service,
  receiptId: string,
  listKeys: () => Promise<PublicJwk[]>,
): Promise<ReceiptContent> {
  const [header = '', payload = '', signature = ''] = (await readJws(service, receiptId)).split('.');
  const decode = (part: string): Buffer => Buffer.from(part, 'base64url');
  const { kid } = JSON.parse(decode(header).toString());
  const jwk = (await listKeys()).find((key) => key.kid === kid);
  expect(jwk).toBeDefined();
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
  expect(verify(null, Buffer.from(`${header}.${payload}`), key, decode(signature))).toBe(true);
  return JSON.parse(decode(payload).toString());
}
