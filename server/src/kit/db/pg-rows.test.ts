// Binary rows as a real Postgres reads them.
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newUuidBytes, uuidText } from '../crypto/ids.ts';
import { arrayOfRows, RowWriter } from './pg-rows.ts';

let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: inject('superuserUrl') });
  await client.connect();
  await client.query(
    'create type pg_temp.row_of_all as (id uuid, small smallint, whole int, at timestamptz, words text, json jsonb, is_so boolean, raw bytea)',
  );
});
afterAll(() => client.end());

interface Row {
  id: Buffer | null;
  small: number | null;
  whole: number | null;
  at: number;
  words: string | null;
  json: string | null;
  isSo: boolean | null;
  raw: Buffer | null;
}

function write(row: Row): Buffer {
  const writer = new RowWriter(8);
  writer.uuid(row.id);
  writer.int2(row.small);
  writer.int4(row.whole);
  writer.timestamp(row.at);
  writer.text(row.words);
  writer.jsonb(row.json);
  writer.bool(row.isSo);
  writer.bytes(row.raw);
  return writer.end();
}

async function read(rows: readonly Row[]): Promise<unknown[]> {
  const array = arrayOfRows(rows.map(write));
  return (await client.query('select * from unnest($1::pg_temp.row_of_all[])', [array])).rows;
}

const plain: Row = {
  id: newUuidBytes(),
  small: 200,
  whole: 0,
  at: 0,
  words: '',
  json: '{"a":[1,null]}',
  isSo: true,
  raw: Buffer.from([0, 255]),
};

test('Postgres reads every kind of field, with nulls and the limits of numbers', async () => {
  const other = {
    id: null,
    small: -32768,
    whole: -(2 ** 31),
    at: 1,
    words: null,
    json: null,
    isSo: false,
    raw: null,
  };
  const limits = {
    ...plain,
    small: null,
    whole: 2 ** 31 - 1,
    isSo: null,
    raw: Buffer.alloc(100_000, 7),
  };
  const [first, second, third, fourth] = await read([plain, other, limits, { ...plain, whole: null }]);
  const { id, at, isSo, raw, json, ...same } = plain;
  expect(first).toEqual({
    ...same,
    id: uuidText(id as Buffer),
    at: new Date(at),
    json: JSON.parse(String(json)),
    is_so: isSo,
    raw,
  });
  expect(second).toEqual({
    id: null,
    small: -32768,
    whole: -(2 ** 31),
    at: new Date(1),
    words: null,
    json: null,
    is_so: false,
    raw: null,
  });
  expect(third).toMatchObject({
    small: null,
    whole: 2 ** 31 - 1,
    is_so: null,
  });
  // Compared as bytes, because a comparison of objects would have a hundred thousand fields.
  expect(limits.raw.equals((third as Row).raw ?? Buffer.of())).toBe(true);
  expect(fourth).toMatchObject({ whole: null, words: '' });
});

test('Postgres reads texts of one to four bytes per character, in more rows than the first buffer holds', async () => {
  const texts = ['plain', 'é', '船台', '\u{1f6a2}'.repeat(50), 'a "quoted" (row), with \\', 'long '.repeat(20_000)];
  const rows = Array.from({ length: 600 }, (_, at) => ({ ...plain, words: texts[at % texts.length] ?? '' }));
  expect((await read(rows)).map((row) => (row as Row).words)).toEqual(rows.map((row) => row.words));
});

test('Postgres reads times before and after its epoch, to the millisecond', async () => {
  const times = ['1969-12-31T23:59:59.999Z', '1999-12-31T23:59:59.999Z', '2000-01-01T00:00:00.000Z'];
  times.push('2026-11-21T12:34:56.789Z', '2254-12-31T23:59:59.999Z');
  const rows = await read(times.map((time) => ({ ...plain, at: Date.parse(time) })));
  expect(rows.map((row) => (row as { at: Date }).at)).toEqual(times.map((time) => new Date(time)));
});

test('a number that does not fit is refused, and the next row is complete', async () => {
  expect(() => write({ ...plain, small: 40_000 })).toThrow(RangeError);
  expect(await read([plain])).toHaveLength(1);
});

test('Postgres reads an empty batch of rows', async () => {
  expect(await read([])).toEqual([]);
});
