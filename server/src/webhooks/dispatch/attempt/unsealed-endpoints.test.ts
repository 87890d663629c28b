// Opened values are valid only for the sealed bytes that they came from. A rotation, the end of the previous secret, or
// a change of headers applies to the next delivery.
import { expect, test } from 'vitest';
import { newUuid } from '../../../kit/crypto/ids.ts';
import { seal } from '../../../kit/crypto/seal.ts';
import { type Secret, secret } from '../../../kit/crypto/secret.ts';
import { createSigningSecret, sign } from '../../../kit/crypto/standard-webhooks.ts';
import { sealHeaders } from '../../webhooks/custom-headers.ts';
import { secretBinding } from '../../webhooks/endpoint.ts';
import { createUnsealer } from './unsealed-endpoints.ts';

const masterKeys = { current: 'm1', keys: { m1: secret(Buffer.alloc(32, 9).toString('base64')) } };
const ENDPOINT = newUuid();
const sealed = (one: Secret, endpointId = ENDPOINT): Buffer => seal(one, secretBinding(endpointId), masterKeys);
const headersOf = (value: string): Buffer | null => sealHeaders(new Map([['x-tenant', value]]), ENDPOINT, masterKeys);
const revealed = ({ custom, secrets }: ReturnType<ReturnType<typeof createUnsealer>>) => ({
  custom,
  secrets: secrets.map((one) => one.reveal()),
});

test('an endpoint is opened once for the same bytes, and again for any others', () => {
  const open = createUnsealer(masterKeys);
  const [first, second] = [createSigningSecret(), createSigningSecret()];
  const row = {
    endpoint_id: ENDPOINT,
    sealed_secret: sealed(first),
    sealed_previous_secret: null,
    sealed_headers: headersOf('a'),
  };
  const opened = open(row);
  expect(revealed(opened)).toEqual({ custom: { 'x-tenant': 'a' }, secrets: [first.reveal()] });
  // Each row of a claim has its own buffers.
  expect(open({ ...row, sealed_secret: Buffer.from(row.sealed_secret) })).toBe(opened);

  // Without an overlap only the secret itself differs.
  expect(revealed(open({ ...row, sealed_secret: sealed(second) })).secrets).toEqual([second.reveal()]);

  const rotated = { ...row, sealed_secret: sealed(second), sealed_previous_secret: row.sealed_secret };
  expect(revealed(open(rotated)).secrets).toEqual([second.reveal(), first.reveal()]);
  expect(revealed(open({ ...rotated, sealed_previous_secret: null })).secrets).toEqual([second.reveal()]);
  expect(revealed(open({ ...rotated, sealed_headers: headersOf('b') })).custom).toEqual({ 'x-tenant': 'b' });
  expect(revealed(open({ ...rotated, sealed_headers: null })).custom).toEqual({});
});

test('sealed bytes of another endpoint are refused, even after they were opened for that endpoint', () => {
  const open = createUnsealer(masterKeys);
  const row = {
    endpoint_id: ENDPOINT,
    sealed_secret: sealed(createSigningSecret()),
    sealed_previous_secret: null,
    sealed_headers: null,
  };
  open(row);
  expect(() => open({ ...row, endpoint_id: newUuid() })).toThrow('cannot be opened');
});

test('a secret signs the second time as it did the first', () => {
  const [one, other] = [createSigningSecret(), createSigningSecret()];
  const signed = sign([one, other], 'evt_1', 1_700_000_000, 'body');
  expect(sign([one, other], 'evt_1', 1_700_000_000, 'body')).toBe(signed);
  expect(sign([other], 'evt_1', 1_700_000_000, 'body')).toBe(signed.split(' ')[1]);
});
