// Binary arrays as a real Postgres reads them.
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newUuidBytes, uuidText } from './ids.ts';
import { int2Array, int4Array, jsonbArray, momentArray, textArray, uuidArray } from './pg-arrays.ts';

let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: inject('superuserUrl') });
  await client.connect();
});
afterAll(() => client.end());

async function read(type: string, array: Buffer): Promise<unknown> {
  const { rows } = await client.query(`select array_to_json($1::${type}[]) as list`, [array]);
  return rows[0]?.list;
}

test('numbers, with nulls and their limits', async () => {
  expect(await read('int', int4Array([0, null, -(2 ** 31), 2 ** 31 - 1]))).toEqual([0, null, -(2 ** 31), 2 ** 31 - 1]);
  expect(await read('smallint', int2Array([null, 200, -32768, 32767]))).toEqual([null, 200, -32768, 32767]);
});

test('uuids, texts of one to four bytes a character, and JSON', async () => {
  const id = newUuidBytes();
  expect(await read('uuid', uuidArray([id, null]))).toEqual([uuidText(id), null]);
  const texts = ['', 'plain', 'é', '船台', '\u{1f6a2}'.repeat(50), null, 'a "quoted" {list}, with \\'];
  expect(await read('text', textArray(texts))).toEqual(texts);
  expect(await read('jsonb', jsonbArray(['{"a":[1,null]}', null]))).toEqual([{ a: [1, null] }, null]);
});

test('moments before and after the epoch of Postgres, to the millisecond', async () => {
  const moments = ['1969-12-31T23:59:59.999Z', '1999-12-31T23:59:59.999Z', '2000-01-01T00:00:00.000Z'];
  moments.push('2026-11-21T12:34:56.789Z', '2254-12-31T23:59:59.999Z');
  const array = momentArray([...moments.map((moment) => Date.parse(moment)), null]);
  const { rows } = await client.query('select $1::timestamptz[] as list', [array]);
  expect(rows[0]?.list).toEqual([...moments.map((moment) => new Date(moment)), null]);
});

test('an empty batch', async () => {
  expect(await read('text', textArray([]))).toEqual([]);
});
