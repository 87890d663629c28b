// A secret is shown by reveal() only.

import { format, inspect } from 'node:util';
import { serialize } from 'node:v8';
import { describe, expect, test, vi } from 'vitest';
import { type Secret, secret } from './secret.ts';

const VALUE = 'whsec_hunter2';
const held = secret(VALUE);
const asText = held as unknown as string;

const outputs: Record<string, () => string> = {
  String: () => String(held),
  'template literal': () => `${asText}`,
  concatenation: () => `a${asText}`.slice(1),
  valueOf: () => String(held.valueOf()),
  'array join': () => [held].join(),
  inspect: () => inspect(held),
  'format %s': () => format('%s', held),
  'an Error message': () => new Error(asText).message,
};

describe('secret', () => {
  test('reveal returns the value', () => {
    expect(held.reveal()).toBe(VALUE);
  });

  test.each(Object.entries(outputs))('%s shows [secret]', (_name, road) => {
    expect(road()).toBe('[secret]');
  });

  test('JSON shows [secret], also deep inside', () => {
    expect(JSON.stringify({ row: { held, list: [held] } })).toBe('{"row":{"held":"[secret]","list":["[secret]"]}}');
  });

  test('an inspector that ignores custom printers and shows hidden properties finds nothing', () => {
    expect(inspect({ held }, { customInspect: false, showHidden: true, depth: 9, getters: true })).not.toContain(VALUE);
    expect(format('%o %O %j', held, held, held)).not.toContain(VALUE);
  });

  test('console.log shows [secret]', () => {
    const write = vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
    const log = vi.spyOn(console, 'log').mockImplementation((...args) => void process.stdout.write(format(...args)));
    console.log({ held }, held);
    const printed = write.mock.calls.map((call) => String(call[0])).join('');
    log.mockRestore();
    write.mockRestore();
    expect(printed).toContain('[secret]');
    expect(printed).not.toContain(VALUE);
  });

  test('keys, entries, spreading, assigning and cloning contain nothing', () => {
    expect(Object.keys(held)).toEqual([]);
    expect(Object.entries(held)).toEqual([]);
    expect({ ...held }).toEqual({});
    expect(Object.assign({}, held)).toEqual({});
    expect(JSON.stringify(structuredClone(held))).toBe('{}');
    expect(serialize(held).toString('latin1')).not.toContain('hunter2');
  });

  test('an error with a secret as its cause does not print it', () => {
    expect(inspect(new Error('failed', { cause: held }))).not.toContain(VALUE);
  });

  test('reveal cannot be replaced to intercept the value', () => {
    expect(() => Object.assign(held as { reveal: Secret['reveal'] }, { reveal: () => 'x' })).toThrow(TypeError);
  });
});
