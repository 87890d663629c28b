// Ids are ordered UUIDv7, and their text is that of TypeID.
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { encodeBase32 } from './base32.ts';
import { firstUuidAt, fromId, newUuid, newUuidBytes, toId, toUuid, uuidText } from './ids.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timeOf = (uuid: string): number => Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16);
const isRising = (ids: readonly string[]): boolean =>
  ids.every((id, index) => index === 0 || (ids[index - 1] ?? '') < id);

describe('new uuid', () => {
  test('a new uuid has the layout of version 7 and the time of the clock', () => {
    const before = Date.now();
    const uuids = Array.from({ length: 1_000 }, newUuid);
    for (const uuid of uuids) expect(uuid).toMatch(UUID_V7);
    expect(timeOf(uuids[0] ?? '')).toBeGreaterThanOrEqual(before);
    expect(timeOf(uuids[0] ?? '')).toBeLessThanOrEqual(Date.now());
  });

  test('a new uuid is greater than all earlier ones of the process, even if a millisecond exhausts the counter', () => {
    const nowMs = Date.now() + 60_000;
    vi.spyOn(Date, 'now').mockReturnValue(nowMs);
    const uuids = Array.from({ length: 10_000 }, newUuid);
    expect(isRising(uuids)).toBe(true);
    expect(isRising(uuids.map((uuid) => toId('req', uuid)))).toBe(true);
  });

  test('a new uuid is greater than the earlier ones if the clock steps back', () => {
    const nowMs = Date.now() + 120_000;
    const clock = vi.spyOn(Date, 'now').mockReturnValue(nowMs);
    const before = Array.from({ length: 10 }, newUuid);
    clock.mockReturnValue(nowMs - 3_600_000);
    expect(isRising([...before, ...Array.from({ length: 10 }, newUuid)])).toBe(true);
  });

  test('a new uuid differs from all others in its last 62 bits', () => {
    const tails = Array.from({ length: 20_000 }, () => newUuidBytes().toString('hex', 8));
    expect(new Set(tails).size).toBe(tails.length);
  });
});

describe('text of an id', () => {
  // The first two are from the TypeID specification.
  test.each([
    ['0188bac7-4afa-78aa-bc3b-bd1eef28d881', '01h2xcejqtf2nbrexx3vqjhp41'],
    ['01890a5d-ac96-774b-bcce-b302099a8057', '01h455vb4pex5vsknk084sn02q'],
    ['00000000-0000-0000-0000-000000000000', '00000000000000000000000000'],
    ['ffffffff-ffff-ffff-ffff-ffffffffffff', '7zzzzzzzzzzzzzzzzzzzzzzzzz'],
  ])('%s is %s, in both directions', (uuid, body) => {
    expect(toId('srv', uuid)).toBe(`srv_${body}`);
    expect(fromId('srv', `srv_${body}`)).toBe(uuid);
  });

  test('an id that its schema would refuse has no uuid and throws instead', () => {
    const id = toId('srv', '0188bac7-4afa-78aa-bc3b-bd1eef28d881');
    expect(toUuid('srv', id)).toBe('0188bac7-4afa-78aa-bc3b-bd1eef28d881');
    for (const [prefix, text] of [
      ['app', id],
      ['srv', ''],
      ['srv', 'undefined'],
      ['srv', id.toUpperCase()],
    ] as const)
      expect(() => toUuid(prefix, text)).toThrow(`prefix ${prefix}_`);
  });

  const uuids = fc.uint8Array({ minLength: 16, maxLength: 16 });

  test('any 16 bytes can be restored from their text', () => {
    fc.assert(
      fc.property(uuids, (bytes) => {
        const uuid = uuidText(Buffer.from(bytes));
        expect(encodeBase32(bytes)).toMatch(/^[0-7][0-9a-hjkmnp-tv-z]{25}$/);
        expect(fromId('req', toId('req', uuid))).toBe(uuid);
      }),
    );
  });

  test('texts have the order of their bytes', () => {
    fc.assert(
      fc.property(uuids, uuids, (a, b) => {
        expect(Math.sign(Buffer.compare(a, b))).toBe(
          encodeBase32(a) < encodeBase32(b) ? -1 : encodeBase32(a) > encodeBase32(b) ? 1 : 0,
        );
      }),
    );
  });

  test.each([
    ['another prefix', 'app_01h2xcejqtf2nbrexx3vqjhp41'],
    ['a prefix in capitals', 'SRV_01h2xcejqtf2nbrexx3vqjhp41'],
    ['no prefix', '01h2xcejqtf2nbrexx3vqjhp41'],
    ['two prefixes', 'srv_srv_01h2xcejqtf2nbrexx3vqjhp41'],
    ['a body in capitals', 'srv_01H2XCEJQTF2NBREXX3VQJHP41'],
    ['more than 128 bits', 'srv_81h2xcejqtf2nbrexx3vqjhp41'],
    ['a letter that the alphabet leaves out', 'srv_01h2xcejqtf2nbrexx3vqjhp4l'],
    ['a character too few', 'srv_01h2xcejqtf2nbrexx3vqjhp4'],
    ['a character too many', 'srv_01h2xcejqtf2nbrexx3vqjhp411'],
    ['a line break at its end', 'srv_01h2xcejqtf2nbrexx3vqjhp41\n'],
    ['a uuid', 'srv_0188bac7-4afa-78aa-bc3b-bd1eef28d881'],
    ['nothing', ''],
  ])('%s is no id', (_, id) => {
    expect(fromId('srv', id)).toBeUndefined();
  });
});

test('the first uuid of a time is not greater than any that is created at it', () => {
  const atMs = Date.now() + 240_000;
  vi.spyOn(Date, 'now').mockReturnValue(atMs);
  expect(firstUuidAt(atMs) < newUuid()).toBe(true);
  expect(newUuid() < firstUuidAt(atMs + 1)).toBe(true);
  expect(firstUuidAt(-5)).toBe('00000000-0000-0000-0000-000000000000');
});
