// Binary arrays as a real Postgres reads them.
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newUuidBytes, uuidText } from '../crypto/ids.ts';
import { int4Array, plainArray, textArray, uuidArray } from './pg-arrays.ts';

let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: inject('superuserUrl') });
  await client.connect();
});
afterAll(() => client.end());

async function read(type: string, array: Buffer | string): Promise<unknown> {
  const { rows } = await client.query(`select array_to_json($1::${type}[]) as list`, [array]);
  return rows[0]?.list;
}

test('Postgres reads arrays of numbers, with nulls and their limits', async () => {
  expect(await read('int', int4Array([0, null, -(2 ** 31), 2 ** 31 - 1]))).toEqual([0, null, -(2 ** 31), 2 ** 31 - 1]);
});

test('Postgres reads arrays of uuids, and of texts of one to four bytes per character', async () => {
  const id = newUuidBytes();
  expect(await read('uuid', uuidArray([id, null]))).toEqual([uuidText(id), null]);
  const texts = ['', 'plain', 'é', '船台', '\u{1f6a2}'.repeat(50), null, 'a "quoted" {list}, with \\'];
  expect(await read('text', textArray(texts))).toEqual(texts);
});

test('Postgres reads empty arrays', async () => {
  expect(await read('text', textArray([]))).toEqual([]);
});

test('Postgres reads plain arrays of ids and numbers', async () => {
  const ids = [newUuidBytes(), newUuidBytes()].map(uuidText);
  expect(await read('uuid', plainArray(ids))).toEqual(ids);
  expect(await read('int', plainArray([7, -1]))).toEqual([7, -1]);
  expect(await read('uuid', plainArray([]))).toEqual([]);
});
