// The files of responses, read as programs that decode them do.
import { crc32, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { fileOfType } from './declared-file.ts';

test('a PNG has complete chunks with their checksums, and the data of one pixel', () => {
  const file = fileOfType('image/png');
  expect(file.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const named = file.subarray(at + 4, at + 8 + length);
    expect(file.readUInt32BE(at + 8 + length)).toBe(crc32(named));
    chunks.set(named.toString('latin1', 0, 4), named.subarray(4));
    at += 12 + length;
  }
  expect([...chunks.keys()]).toEqual(['IHDR', 'IDAT', 'IEND']);
  expect(inflateSync(chunks.get('IDAT') ?? '')).toEqual(Buffer.from([0, 255]));
});

test('a PDF has its table and each object at their positions', () => {
  const text = fileOfType('application/pdf').toString();
  const table = Number(/startxref\n(\d+)/.exec(text)?.[1]);
  expect(text.slice(table, table + 5)).toBe('xref\n');
  const positions = [...text.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, at]) => Number(at));
  expect(positions.map((at) => text.slice(at, at + 7))).toEqual(['1 0 obj', '2 0 obj', '3 0 obj']);
});

test.each([
  ['image/gif', /^47494638.*3b$/],
  ['image/jpeg', /^ffd8ff.*ffd9$/],
])('a file of %s begins and ends as its type requires', (type, form) => {
  expect(fileOfType(type).toString('hex')).toMatch(form);
});

test.each(['text/csv', 'application/zip', '', 'constructor'])('a file of another type %j is a text', (type) => {
  expect(fileOfType(type).toString()).toBe('A file of the sandbox.\n');
});
