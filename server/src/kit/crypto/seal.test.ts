// A sealed value opens only in its row, with its key, bit for bit. No error shows its content.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MasterKeys, reseal, seal, sealedKeyId, unseal } from './seal.ts';
import { secret } from './secret.ts';

const newKey = () => secret(randomBytes(32).toString('base64'));
const master: MasterKeys = { current: 'k1', keys: { k1: newKey() } };
const ROW = 'endpoint:whe_1';
const PLAIN = 'whsec_hunter2';

const messageOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).cause).toBeUndefined();
    return (error as Error).message;
  }
  throw new Error('it opened');
};

describe('seal', () => {
  test('any string can be opened in its own row', () => {
    const lawHolds = (plain: string, row: string) => {
      expect(unseal(seal(secret(plain), row, master), row, master).reveal()).toBe(plain);
    };
    // Lone surrogates cannot be stored as UTF-8, so the property holds for well-formed strings.
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), lawHolds));
  });

  test('another row cannot open it', () => {
    const sealed = seal(secret(PLAIN), ROW, master);
    fc.assert(
      fc.property(fc.string(), (row) => {
        fc.pre(row !== ROW);
        expect(messageOf(() => unseal(sealed, row, master))).not.toContain('hunter2');
      }),
    );
  });

  test('every single flipped bit is detected', () => {
    const sealed = seal(secret(PLAIN), ROW, master);
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(
        messageOf(() => unseal(changed, ROW, master)),
        `bit ${bit}`,
      ).not.toContain('hunter2');
    }
  });

  test('every truncation and an appended byte are detected', () => {
    const sealed = seal(secret(PLAIN), ROW, master);
    for (let length = 0; length < sealed.length; length += 1) {
      messageOf(() => unseal(sealed.subarray(0, length), ROW, master));
    }
    messageOf(() => unseal(Buffer.concat([sealed, Buffer.from([0])]), ROW, master));
  });

  test('another key under the same id, and an unknown id, cannot open it', () => {
    const sealed = seal(secret(PLAIN), ROW, master);
    messageOf(() => unseal(sealed, ROW, { current: 'k1', keys: { k1: newKey() } }));
    messageOf(() => unseal(sealed, ROW, { current: 'k2', keys: { k2: newKey() } }));
  });

  test('the same key under another id cannot open a relabelled seal', () => {
    const both = { current: 'k1', keys: { ...master.keys, k2: master.keys.k1 ?? newKey() } };
    const relabelled = Buffer.from(seal(secret(PLAIN), ROW, both));
    relabelled.write('k2', 2);
    messageOf(() => unseal(relabelled, ROW, both));
  });

  test('a wrapped data key cannot be moved to the sealed part of another row', () => {
    const ownSealed = seal(secret(PLAIN), ROW, master);
    const otherSealed = seal(secret('other'), 'endpoint:whe_2', master);
    const headAndKey = 2 + 2 + 60;
    const mixed = Buffer.concat([otherSealed.subarray(0, headAndKey), ownSealed.subarray(headAndKey)]);
    messageOf(() => unseal(mixed, 'endpoint:whe_2', master));
    messageOf(() => unseal(mixed, ROW, master));
  });

  test('the same secret sealed twice shares no sealed bytes, and its text is not among them', () => {
    const [a, b] = [seal(secret(PLAIN), ROW, master), seal(secret(PLAIN), ROW, master)];
    expect(a.subarray(4).equals(b.subarray(4))).toBe(false);
    expect(a.toString('latin1')).not.toContain('hunter2');
  });

  test('resealing moves to the current key, after which the old key may be removed', () => {
    const sealed = seal(secret(PLAIN), ROW, master);
    const k2 = newKey();
    const moved = reseal(sealed, ROW, { current: 'k2', keys: { ...master.keys, k2 } });
    expect([sealedKeyId(sealed), sealedKeyId(moved)]).toEqual(['k1', 'k2']);
    expect(unseal(moved, ROW, { current: 'k2', keys: { k2 } }).reveal()).toBe(PLAIN);
    expect(reseal(moved, ROW, { current: 'k2', keys: { k2 } })).toBe(moved);
    messageOf(() => reseal(sealed, 'endpoint:whe_2', { current: 'k2', keys: { ...master.keys, k2 } }));
  });

  test('a master key that is not 32 bytes of base64 is refused without being shown', () => {
    for (const bad of ['', 'c2hvcnQ=', 'f'.repeat(64), `${randomBytes(32).toString('base64')} `]) {
      const message = messageOf(() => seal(secret(PLAIN), ROW, { current: 'k1', keys: { k1: secret(bad) } }));
      expect(message).toBe('The master key "k1" is not base64 of 32 bytes.');
    }
    messageOf(() => seal(secret(PLAIN), ROW, { current: 'toString', keys: master.keys }));
  });
});
