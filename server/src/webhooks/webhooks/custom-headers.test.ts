import { describe, expect, test } from 'vitest';
import { newKeyToken } from '../../access/authority/index.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import { seal, unseal } from '../../kit/crypto/seal.ts';
import { secret } from '../../kit/crypto/secret.ts';
import { createSigningSecret } from '../../kit/crypto/standard-webhooks.ts';
import { schemaErrors } from '../../kit/http/schema.ts';
import { changeHeaders, customHeadersOf, newHeaders, openHeaders, sealHeaders } from './custom-headers.ts';
import { secretBinding } from './endpoint.ts';

const NONE = new Map<string, string>();
const masterKeys = { current: 'm1', keys: { m1: secret(Buffer.alloc(32, 9).toString('base64')) } };

/** Returns why a new header is refused by its schema or its meaning, with the pointer of each error. */
function refusals(name: string, value: string): { pointer: string; detail: string }[] {
  const input = Object.fromEntries([[name, value]]);
  const errors = schemaErrors(newHeaders, input, '/headers');
  return errors.length > 0 ? errors : changeHeaders(NONE, input).errors;
}

describe('header name', () => {
  test.each(['authorization', 'X-API-Key', 'x-tenant', 'cookie', 'a'])('accepts the header name %s', (name) => {
    expect(refusals(name, 'Bearer a.b-c')).toEqual([]);
  });

  test.each([
    ...[
      '',
      ' ',
      'a b',
      'a:',
      'a\r\nhost',
      'a\n',
      'a\0',
      'a\t',
      '-a',
      '1a',
      'a_b',
      'webhook_id',
      'ä',
      'ａ',
      '__proto__',
    ],
    ...['a'.repeat(65), '"a"', 'a/b', 'a(b)', 'constructor:', ' host', 'host '],
  ])('refuses the header name %j, which two parsers may read differently', (name) => {
    expect(refusals(name, 'v').length).toBeGreaterThan(0);
  });

  test.each([
    ...[
      'host',
      'Host',
      'HOST',
      'content-length',
      'Content-Type',
      'content-encoding',
      'transfer-encoding',
      'connection',
    ],
    ...[
      'keep-alive',
      'te',
      'trailer',
      'upgrade',
      'expect',
      'http2-settings',
      'proxy-authorization',
      'proxy-connection',
    ],
    ...['webhook-id', 'Webhook-Signature', 'webhook-new', 'slipway-trigger', 'Slipway-Delivery-Id', 'user-agent'],
    ...['accept-encoding', 'traceparent', 'forwarded', 'via', 'x-forwarded-for', 'X-Forwarded-User', 'x-real-ip'],
    ...['x-http-method-override', 'metadata', 'Metadata-Flavor', 'x-aws-ec2-metadata-token'],
    ...['True-Client-IP', 'x-original-url', 'x-rewrite-url', 'svix-signature', 'x-google-metadata-request'],
  ])('refuses the reserved header name %s', (name) => {
    expect(refusals(name, 'v')).toEqual([{ pointer: `/headers/${name}`, detail: 'must not be a reserved header' }]);
  });

  test('compares header names without case, and refuses a name given twice', () => {
    const { headers, errors } = changeHeaders(NONE, { 'X-A': '1', 'x-a': '2' });
    expect(errors).toEqual([{ pointer: '/headers/x-a', detail: 'must be named only once' }]);
    expect([...headers.keys()]).toEqual(['x-a']);
  });
});

describe('header value', () => {
  test.each([
    '',
    ' a',
    'a ',
    'a\r\nx: y',
    'a\nb',
    'a\rb',
    'a\tb',
    'a\0',
    'ä',
    '\u2028',
    'a\u007f',
    'a'.repeat(2_049),
  ])('refuses the header value %j with a pointer to it', (value) => {
    const [{ pointer } = { pointer: '' }] = refusals('x-a', value);
    expect(pointer).toBe('/headers/x-a');
  });

  test('refuses a header value that contains a key or a signing secret, and does not repeat it', () => {
    for (const held of [newKeyToken('sandbox').token, createSigningSecret().reveal()]) {
      const { errors } = changeHeaders(NONE, { authorization: `Bearer ${held}` });
      expect(errors).toEqual([expect.objectContaining({ pointer: '/headers/authorization' })]);
      expect(JSON.stringify(errors)).not.toContain(held.slice(-20));
    }
  });
});

describe('change of headers', () => {
  test('a change keeps the headers that it does not name, and removes those that are null', () => {
    const present = new Map([
      ['x-a', '1'],
      ['x-b', '2'],
      ['x-c', '3'],
    ]);
    const { headers, errors } = changeHeaders(present, { 'X-B': 'new', 'x-c': null, 'x-d': null });
    expect([Object.fromEntries(headers), errors]).toEqual([{ 'x-a': '1', 'x-b': 'new' }, []]);
  });

  test('a change is refused if it leads to more than ten headers or 4,096 bytes', () => {
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`x-${at}`, 'v']));
    expect(changeHeaders(NONE, many).errors).toEqual([
      { pointer: '/headers', detail: 'must be at most 10 headers in total' },
    ]);
    const long = { 'x-a': 'v'.repeat(2_045), 'x-b': 'v'.repeat(2_045) };
    expect(changeHeaders(NONE, long).errors).toEqual([]);
    expect(changeHeaders(NONE, { ...long, 'x-b': 'v'.repeat(2_046) }).errors).toMatchObject([{ pointer: '/headers' }]);
  });
});

describe('stored headers', () => {
  const endpointId = newUuid();
  const headers = new Map([['authorization', 'Bearer of-a-secret']]);
  const sealed = sealHeaders(headers, endpointId, masterKeys) ?? Buffer.alloc(0);

  test('headers are sealed for their endpoint and their column only', () => {
    expect(sealed.toString('latin1')).not.toContain('of-a-secret');
    expect(openHeaders(sealed, endpointId, masterKeys)).toEqual(headers);
    expect(() => openHeaders(sealed, newUuid(), masterKeys)).toThrow();
    expect(() => unseal(sealed, secretBinding(endpointId), masterKeys)).toThrow();
    const signing = seal(createSigningSecret(), secretBinding(endpointId), masterKeys);
    expect(() => openHeaders(signing, endpointId, masterKeys)).toThrow();
  });

  test('no headers are stored as null', () => {
    expect(sealHeaders(NONE, endpointId, masterKeys)).toBeNull();
    expect(customHeadersOf({ endpoint_id: endpointId, sealed_headers: null }, masterKeys)).toEqual({});
  });

  test('a header that became reserved is kept and not sent', () => {
    const older = new Map([...headers, ['webhook-id', 'evt_forged'], ['host', 'elsewhere']]);
    const sealed_headers = sealHeaders(older, endpointId, masterKeys);
    expect(customHeadersOf({ endpoint_id: endpointId, sealed_headers }, masterKeys)).toEqual(
      Object.fromEntries(headers),
    );
  });
});
