// Masking of text from outside: values that the contract constrains are kept, of other values only kind and size.
import { describe, expect, test } from 'vitest';
import { collectPathWords, maskPath } from '../../kit/http/paths.ts';
import { nullable, SENSITIVE, sensitive, strictObject, type TSchema, Type, text } from '../../kit/http/schema.ts';
import { TicketInput } from '../../resources/tickets/ticket.ts';
import { findMasks, isMask, toMask } from './mask.ts';
import { maskPointer, maskValue } from './masked-value.ts';
import { createPathFilter } from './recorded-address.ts';
import { maskUserAgent } from './user-agent.ts';

describe('masking of a user agent', () => {
  test.each([
    ['bridge/1.4', 'bridge/1.4'],
    ['node', 'node'],
    ['python-requests/2.31.0', 'python-requests/2.31.0'],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
      'Mozilla/5.0 (*) AppleWebKit/537.36 (*) Chrome/120.0.0.0 Safari/537.36',
    ],
    ['a key of mine', '*'],
    ['bridge/1.4 s3cr3t/1.0 (maren@example.org', 'bridge/1.4 * (*)'],
    ['bridge/1.4-s3cr3t', '*'],
    ['slw_test_7Qh2mXc04LpA/1.0', '*'],
    ['', ''],
    ['GitHub-Hookshot/1.0 HTTPie/3.2.2', 'GitHub-Hookshot/1.0 HTTPie/3.2.2'],
    ['CanaryBirdCorrectHorseBatteryStaple/1 NYj/65 OLcLSKu/0', '*'],
    ['correct/1 horse/1 battery/1 staple/1', 'correct/1 horse/1 *'],
    [Array.from({ length: 9 }, () => 'curl').join(' '), 'curl curl curl curl curl curl *'],
  ])('the user agent %j is kept as %j', (given, kept) => {
    expect(maskUserAgent(given)).toBe(kept);
  });
});

describe('masking of a path without a route', () => {
  const words = collectPathWords(['/v1/servers/{serverId}/tickets', '/v1/me']);
  const id = 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2';
  test.each([
    ['/v1/serves', '/v1/*'],
    [`/v1/servers/${id}/ticket?a=b`, `/v1/servers/${id}/*`],
    ['/v1/servers/maren/tickets', '/v1/servers/*/tickets'],
    ['/{serverId}/__proto__', '/*/*'],
    [`/${'a/'.repeat(30)}`, `${'/*'.repeat(12)}`],
  ])('the path %j is kept as %j', (given, kept) => {
    expect(maskPath(given, words)).toBe(kept);
  });
});

describe('the filter of a path that an authenticated caller sent', () => {
  const words = collectPathWords(['/v1/servers/{serverId}/tickets', '/v1/workflow-runs/{workflowRunId}', '/v1/me']);
  test.each([
    ['/v1/serves/srv_01j9z3v8k6e5t8m2n4p6q8r0s2', '/v1/serves/srv_01j9z3v8k6e5t8m2n4p6q8r0s2'],
    ['/v1/servers/42/ticket', '/v1/servers/42/ticket'],
    ['/v1/Servers/42/server_ticket', '/v1/Servers/42/server_ticket'],
    ['/v1/workflow_runs', '/v1/workflow_runs'],
    ['/v1/mfkqzrtwxhbvnpls', '/v1/*'],
    ['/v1/servers/maren/tickets', '/v1/servers/*/tickets'],
    ['/v1/4929/1234/5678/9012', '/v1/4929/*/*/*'],
    ['/v1/4929-1234-5678-9012', '/v1/*'],
    ['/v1/tickets-mfkqzrtwxhbvnpls', '/v1/*'],
    ['/v1/abcd/ab', '/v1/*/*'],
    ['/v1/correct/horse/battery/staple', '/v1/*/*/*/*'],
    ['/v1/slw_test_7Qh2mXc04LpA/123456', '/v1/*/*'],
    ['/v1/maren@example.org/s3cr3t', '/v1/*/*'],
    ['/v1/CanaryBirdCorrectHorseBatteryStaple/%zz', '/v1/*/*'],
  ])('the path %j is recorded as %j', (sent, recorded) => {
    const isKept = createPathFilter(words);
    const parts = sent.split('/').map((part) => (words.has(part) || isKept(part) ? part : '*'));
    expect(parts.join('/')).toBe(recorded);
  });
});

const schema = strictObject({
  subject: text('What.', { maxLength: 1_000 }),
  kind: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['a', 'b'] })),
  who: Type.Optional(strictObject({ name: text('Name.', { maxLength: 10 }) })),
  token: sensitive(Type.Optional(text('Secret.', { maxLength: 100 }))),
  labels: Type.Optional(Type.Array(text('Label.', { maxLength: 5 }))),
  maybe: Type.Optional(Type.Union([strictObject({ n: Type.Integer() }), Type.Null()])),
});

describe('masking of a sensitive field', () => {
  // An identifier, which is kept unless its field is sensitive.
  const CANARY = 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2';
  const given = { requester: { name: 'Imke', reference: CANARY }, metadata: { server: CANARY }, priority: 'urgent' };
  const { requester, metadata, priority } = TicketInput.properties;
  const part = { requester: sensitive(requester), metadata, priority };
  test.each<[string, TSchema]>([
    ['the operation’s body', TicketInput],
    ['Type.Partial of it', Type.Partial(TicketInput)],
    ['Type.Pick of it', Type.Pick(TicketInput, ['requester', 'metadata', 'priority'])],
    ['its fields in another object', strictObject({ ...TicketInput.properties })],
    ['a list of it, optional', strictObject({ items: Type.Optional(Type.Array(Type.Partial(strictObject(part)))) })],
    [
      'a field that is made optional later',
      strictObject({ requester: Type.Optional(sensitive(Type.Required(requester))) }),
    ],
  ])('no sensitive value is kept through %s', (_, of) => {
    const value = 'items' in (of as { properties: object }).properties ? { items: [given] } : given;
    const kept = JSON.stringify(maskValue(of, value).value);
    expect(kept).not.toContain(CANARY);
    expect(kept).not.toContain('Imke');
  });
});

describe('a sensitive number inside a schema', () => {
  const PIN = 271828;
  const pin = sensitive(Type.Integer());
  const inField = strictObject({ pin });
  const other = strictObject({ b: Type.Number() });
  const open = Type.Object({ b: Type.Optional(Type.Number()) });
  test.each<[string, TSchema, unknown]>([
    ['nullable', strictObject({ pin: nullable(pin) }), { pin: PIN }],
    ['an optional nullable field', strictObject({ pin: Type.Optional(nullable(pin)) }), { pin: PIN }],
    ['anyOf of a value', Type.Unsafe({ anyOf: [Type.Boolean(), pin] }), PIN],
    ['oneOf of a value', Type.Unsafe({ oneOf: [Type.Boolean(), pin] }), PIN],
    ['allOf of a value', Type.Unsafe({ allOf: [Type.Integer(), pin] }), PIN],
    ['anyOf of objects', Type.Unsafe({ anyOf: [other, inField] }), { pin: PIN }],
    ['oneOf of objects', Type.Unsafe({ oneOf: [other, inField] }), { pin: PIN }],
    ['allOf of objects', Type.Unsafe({ allOf: [open, Type.Object({ pin })] }), { pin: PIN }],
    [
      'one variant of two with the same field',
      Type.Union([strictObject({ pin: Type.Integer() }), inField]),
      { pin: PIN },
    ],
    ['a nullable in allOf', Type.Unsafe({ allOf: [nullable(inField)] }), { pin: PIN }],
    ['a nullable list', nullable(Type.Array(nullable(pin))), [PIN]],
    ['a tuple', Type.Unsafe({ prefixItems: [Type.Integer(), pin] }), [1, PIN]],
  ])('is masked in %s', (_, of, value) => {
    expect(JSON.stringify(maskValue(of, value).value)).not.toContain(String(PIN));
    const plain: TSchema = JSON.parse(JSON.stringify(of).replaceAll(`"${SENSITIVE}":true`, '"x-plain":true'));
    expect(JSON.stringify(maskValue(plain, value).value)).toContain(String(PIN));
  });
});

describe('masking of a value', () => {
  test('free text is masked in a union with enumerated words, and a name from the caller is not recorded', () => {
    const word = Type.Unsafe<string>({ type: 'string', enum: ['a', 'b'] });
    const of = strictObject({ kind: Type.Unsafe({ anyOf: [word, Type.String()] }) });
    expect(maskValue(of, { kind: 'a' }).value).toEqual({ kind: 'a' });
    expect(maskValue(of, { kind: 'hunter2' }).value).toEqual({ kind: '[string of 7 characters]' });
    const map = Type.Object({ n: Type.Number() }, { additionalProperties: Type.Number() });
    expect(maskValue(map, { n: 1, hunter2: 2 }).value).toEqual({ n: 1, '*': '[1 unknown field]' });
  });

  test('a constrained value that fits its schema is kept; of other values kind and size are kept', () => {
    const { value } = maskValue(schema, {
      subject: 'Hello',
      kind: 'c',
      who: { name: 'Imke', secret: 1 },
      token: 'x',
      labels: ['one', 'too long', 3],
      maybe: { n: 7, m: 8 },
      other: 'secret',
      ['__proto__']: { polluted: true },
    });
    expect(value).toEqual({
      subject: '[string of 5 characters]',
      kind: '[string of 1 character]',
      who: { name: '[string of 4 characters]', '*': '[1 unknown field]' },
      token: '[string of 1 character]',
      labels: ['[string of 3 characters]', '[string of 8 characters]', '[number]'],
      maybe: { n: 7, '*': '[1 unknown field]' },
      '*': '[2 unknown fields]',
    });
  });

  test.each([
    ['an array where an object belongs', [1, 2], '[array of 2 items]'],
    ['a text', 'secret', '[string of 6 characters]'],
    ['nothing', null, '[null]'],
  ])('%s is replaced by its mask', (_, given, kept) => {
    expect(maskValue(schema, given).value).toBe(kept);
  });

  test('an enumerated word and an identifier are kept', () => {
    const given = { kind: 'b', subject: 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2', maybe: null };
    expect(maskValue(schema, given).value).toEqual(given);
  });

  test('a value that is too large is cut and marked as cut', () => {
    const long = maskValue(schema, { labels: Array.from({ length: 30 }, () => 'x') });
    expect(long.isTruncated).toBe(true);
    expect(JSON.stringify(long.value).length).toBeLessThan(700);
  });

  // The maximum length of a body.
  const LONGEST = 256 * 1024;
  test.each<[string, object]>([
    ['one long text', { subject: 'slw_test_'.repeat(LONGEST / 9) }],
    ['many fields', Object.fromEntries(Array.from({ length: LONGEST / 10 }, (_, at) => [`f${at}`, 1]))],
    ['many texts', { labels: Array.from({ length: LONGEST / 4 }, () => '%2') }],
    ['what is deep', JSON.parse(`${'{"who":'.repeat(2_000)}1${'}'.repeat(2_000)}`)],
  ])('less than 1,000 characters of the most expensive body are kept: %s', (what, given) => {
    const startedAtMs = performance.now();
    const { value } = maskValue(schema, given);
    console.info(`${what}: ${(performance.now() - startedAtMs).toFixed(1)} ms`);
    expect(JSON.stringify(value).length).toBeLessThan(1_000);
  });
});

test('a pointer keeps the names that the schema knows', () => {
  expect(maskPointer(schema, ['who', 'secret'], false)).toEqual(['who', '*']);
  expect(maskPointer(schema, ['labels', '3'], false)).toEqual(['labels', '3']);
  expect(maskPointer(schema, ['secret', '3', 'x'], false)).toEqual(['*', '*', '*']);
  expect(maskPointer(schema, ['input', 'memberName'], true)).toEqual(['*', 'memberName']);
});

describe('a mask in a record', () => {
  test.each(['x', 'hello', null, 7, true, [], [1], {}, { a: 1 }])('a mask has its own syntax for %j', (value) => {
    expect(isMask(toMask(value))).toBe(true);
  });

  test('a mask does not replace an empty string', () => {
    expect(maskValue(schema, { subject: '' }).value).toEqual({ subject: '' });
  });

  test('a mask replaces an enumerated word that looks like a mask, so that no string of a record is ambiguous', () => {
    const word = '[string of 5 characters]';
    const words = strictObject({ kind: Type.Unsafe<string>({ type: 'string', enum: [word] }) });
    expect(maskValue(words, { kind: word }).value).toEqual({ kind: '[string of 24 characters]' });
  });

  test('a mask is found at its pointer if the whole string is a mask', () => {
    const value = {
      subject: '[string of 1 character]',
      'a/b': ['x', '[number]'],
      '*': '[2 unknown fields]',
      c: '[notes]',
    };
    expect([...findMasks(value)]).toEqual(['/subject', '/a~1b/1', '/*']);
    expect([...findMasks('[object of 30 fields]')]).toEqual(['']);
    expect([...findMasks({ text: 'was [string of 1 character] long', other: '[string of characters]' })]).toEqual([]);
  });

  test('the search for masks accepts a deeply nested body', () => {
    expect([...findMasks(JSON.parse(`${'['.repeat(90_000)}${']'.repeat(90_000)}`))]).toEqual([]);
  });
});
