// Encodes 16 bytes as the 26 base32 characters of a TypeID: two zero bits, then 128 bits, five bits per character. The
// alphabet is Crockford's in lower case; see https://github.com/jetify-com/typeid/blob/main/spec/README.md
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const VALUES: ReadonlyMap<string, number> = new Map([...ALPHABET].map((character, value) => [character, value]));

/** Returns the 26 characters of 16 bytes. */
export function encodeBase32(bytes: Uint8Array): string {
  let text = '';
  let value = 0;
  let bits = 2;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += ALPHABET[(value >>> (bits - 5)) & 31];
    value &= (1 << bits) - 1;
  }
  return text;
}

/** Returns the 16 bytes of 26 characters of the alphabet. The first character must be at most 7. */
export function decodeBase32(text: string): Buffer {
  const bytes = Buffer.alloc(16);
  let value = 0;
  let bits = -2;
  let offset = 0;
  for (const character of text) {
    value = (value << 5) | (VALUES.get(character) ?? 0);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[offset++] = value >>> bits;
    value &= (1 << bits) - 1;
  }
  return bytes;
}
