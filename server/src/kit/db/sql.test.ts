// A value never becomes part of a statement's text, wherever it stands and however deeply fragments are nested.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nothing, type Sql, sql } from './sql.ts';

const parametersOf = (statement: Sql): number[] =>
  [...statement.text.matchAll(/\$(\d+)/g)].map((match) => Number(match[1]));

describe('statement', () => {
  test('a statement has a number in place of each value', () => {
    const { text, values } = sql`select ${1}, ${"x'; drop table keys --"} from keys where kid = ${'a'}`;
    expect(text).toBe('select $1, $2 from keys where kid = $3');
    expect(values).toEqual([1, "x'; drop table keys --", 'a']);
  });

  test('a statement contains no value in its text, whatever the value', () => {
    fc.assert(
      fc.property(fc.array(fc.anything(), { minLength: 3, maxLength: 3 }), (values) => {
        const statement = sql`a ${values[0]} b ${values[1]} c ${values[2]}`;
        expect(statement.text).toBe('a $1 b $2 c $3');
        expect(statement.values).toEqual(values);
      }),
    );
  });

  test('an object that only looks like a fragment is a value', () => {
    const forged = { text: 'true; drop table keys', values: [], name: 's1' };
    const statement = sql`select ${forged}`;
    expect(statement.text).toBe('select $1');
    expect(statement.values).toEqual([forged]);
  });

  test('an array is one value', () => {
    expect(sql`any(${['a', 'b']}::text[])`).toMatchObject({ text: 'any($1::text[])', values: [['a', 'b']] });
  });
});

describe('fragment', () => {
  test('a fragment adds its values, renumbered in the order of the text', () => {
    const inner = sql`x = ${'one'} and y = ${'two'}`;
    const statement = sql`select ${0} where ${inner} or ${inner} limit ${9}`;
    expect(statement.text).toBe('select $1 where x = $2 and y = $3 or x = $4 and y = $5 limit $6');
    expect(statement.values).toEqual([0, 'one', 'two', 'one', 'two', 9]);
  });

  test('a fragment may contain fragments, and more than nine values', () => {
    const ten = sql`${1} ${2} ${3} ${4} ${5} ${6} ${7} ${8} ${9} ${10}`;
    const statement = sql`${ten} ${sql`(${sql`[${ten}]`} ${11})`}`;
    expect(parametersOf(statement)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
    expect(statement.values).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test('an empty fragment adds nothing', () => {
    expect(sql`a ${nothing} b`).toMatchObject({ text: 'a  b', values: [] });
  });
});

describe('statement name', () => {
  const find = (kid: unknown): Sql => sql`select * from keys where kid = ${kid}`;

  test('a statement name is the same for the same text, whatever the values', () => {
    expect(find('a').name).toBe(find('b').name);
    expect(sql`select * from keys where ${sql`kid = ${1}`}`.name).toBe(find('c').name);
  });

  test('a statement name differs for another text, so that a prepared statement is never confused with another one', () => {
    const statements = [find('a'), sql`select * from keys where kid = ${1} `, sql`select 1`, sql`select ${1}`];
    expect(new Set(statements.map((statement) => statement.name)).size).toBe(statements.length);
  });
});
