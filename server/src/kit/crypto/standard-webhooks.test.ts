// Signatures conform to the specification: its published vector, and the npm library as an independent check.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { nowMs } from '../flow/clock.ts';
import { secret } from './secret.ts';
import { createSigningSecret, sign } from './standard-webhooks.ts';

const ID = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const nowSeconds = () => Math.floor(nowMs() / 1000);

const verify = (key: string, timestamp: number, signature: string, body: string | Buffer) =>
  new Webhook(key).verify(
    body,
    { 'webhook-id': ID, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature },
    { jsonParse: false },
  );

describe('sign', () => {
  test('signs the published vector correctly, for a string and for bytes', () => {
    const secrets = [secret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')];
    const expected = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
    expect(sign(secrets, ID, 1614265330, '{"test": 2432232314}')).toBe(expected);
    expect(sign(secrets, ID, 1614265330, Buffer.from('{"test": 2432232314}'))).toBe(expected);
  });

  test('the npm library verifies any text body, as a string and as its bytes', () => {
    const key = createSigningSecret();
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (body) => {
        const timestamp = nowSeconds();
        const signature = sign([key], ID, timestamp, body);
        expect(sign([key], ID, timestamp, Buffer.from(body))).toBe(signature);
        verify(key.reveal(), timestamp, signature, body);
        expect(() => verify(key.reveal(), timestamp, signature, `${body} `)).toThrow();
      }),
    );
  });

  test('a receiver with either secret verifies while two secrets are live', () => {
    const [old, fresh] = [createSigningSecret(), createSigningSecret()];
    const timestamp = nowSeconds();
    const signature = sign([fresh, old], ID, timestamp, '{"é":"✓"}');
    expect(signature.split(' ')).toHaveLength(2);
    verify(old.reveal(), timestamp, signature, '{"é":"✓"}');
    verify(fresh.reveal(), timestamp, signature, '{"é":"✓"}');
    expect(() => verify(createSigningSecret().reveal(), timestamp, signature, '{"é":"✓"}')).toThrow();
  });

  test('a created secret is whsec_ and 32 new random bytes', () => {
    const text = createSigningSecret().reveal();
    expect(text).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(createSigningSecret().reveal()).not.toBe(text);
  });

  test('input that could not be verified is refused, without showing the secret', () => {
    const good = createSigningSecret();
    expect(() => sign([], ID, 1, '')).toThrow('at least one secret');
    expect(() => sign([good], 'a.b', 1, '')).toThrow('no dot');
    expect(() => sign([good], ID, 1.5, '')).toThrow('whole seconds');
    const short = randomBytes(8).toString('base64');
    for (const bad of [`whsec_${short}`, short, good.reveal().slice('whsec_'.length), `${good.reveal()}!`]) {
      expect(() => sign([secret(bad)], ID, 1, '')).toThrow(
        /^A signing secret is whsec_ and base64 of 24 to 64 bytes\.$/,
      );
    }
  });
});
