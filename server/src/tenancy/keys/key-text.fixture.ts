// Computes the text of a key from its definition, independently of the implementation.

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Appends the checksum to the other parts of a key's text: CRC-32 in base 62. */
export function withChecksum(body: string): string {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(body)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  let value = (crc ^ 0xffffffff) >>> 0;
  let text = '';
  for (let at = 0; at < 6; at++) {
    text = BASE62[value % 62] + text;
    value = Math.floor(value / 62);
  }
  return body + text;
}
