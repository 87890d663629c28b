// Tests the output: escaped text, tables that shorten, and JSON with the same meaning.
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { list, number, pairs, timestamp } from '../src/command.ts';
import { printingFetch, toCurl } from '../src/curl.ts';
import { isDryRun } from '../src/exit.ts';
import { createStream, printList, selectFields } from '../src/output.ts';
import { findProfile, nameFor, readProfiles, writeProfiles } from '../src/profile.ts';
import { record } from '../src/record.ts';
import { fitsWhole, table } from '../src/table.ts';
import { escapeJson, escapeText, escapeTextLines, shorten, widthOf } from '../src/text.ts';
import { ioOf } from './terminal.ts';

const PLAIN = { json: undefined, hasColour: false };
const HOSTILE = 'a\u001b[2Jb\u202ec\u0007\u009b31m\u2028\ud800\u200b\r';

describe('text of other users', () => {
  test('escapeText shows control characters as escapes', () => {
    expect(escapeText(HOSTILE)).toBe(String.raw`a\x1b[2Jb\u{202e}c\x07\x9b31m\u{2028}\u{d800}\u{200b}\r`);
    expect(escapeTextLines('one\ntwo\u001b')).toBe('one\ntwo\\x1b');
    expect(escapeText('👩‍👩‍👧 Zürich 東京 می‌خواهم')).toBe('👩‍👩‍👧 Zürich 東京 می‌خواهم');
  });

  test('no control character reaches a terminal, and the escaped JSON has the same value', () => {
    const obeyed = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(JSON.parse(escapeJson({ [text]: text }))).toEqual({ [text]: text });
        for (const printed of [
          escapeText(text),
          escapeJson({ [text]: text }, 2),
          table([{ name: text }], ['name'], 40, PLAIN),
          record({ [text]: { [text]: [text], rows: [{ [text]: text }] } }, 40, PLAIN),
        ]) {
          expect(printed).not.toMatch(obeyed);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('table layout', () => {
  test('a table is at most as wide as the terminal', () => {
    const rows = [
      { id: 'key_1', name: 'a very long name that goes on and on', state: 'active' },
      { id: 'key_2', name: '東京タワー東京タワー東京タワー', state: null },
    ];
    const printed = table(rows, ['id', 'name', 'state'], 30, PLAIN);
    expect(
      printed
        .trimEnd()
        .split('\n')
        .map(widthOf)
        .every((width) => width <= 30),
    ).toBe(true);
    expect(printed).toMatch(/^ID {5}NAME {11,}STATE\nkey_1 {2}a very long .*… {1,2} active\nkey_2 {2}東京.*… +-\n$/);
  });

  test('a table never cuts an identifier; it shortens or omits other columns', () => {
    const id = 'key_01m83h2w69evc8q4c7gghfyn74';
    const row = {
      createdAt: '2026-11-23T06:21:53Z',
      name: 'a name that goes on',
      state: 'active',
      owner: 'ada@example.org',
      id,
    };
    const omittedColumns: string[] = [];
    const columns = ['createdAt', 'name', 'state', 'owner', 'id'];
    const printed = (width: number): string =>
      table([row], columns, width, PLAIN, (names) => omittedColumns.push(...names)).split('\n')[1] ?? '';
    expect(printed(72)).toBe(`2026-11-23…  a name …  active  ada@exam…  ${id}`);
    expect(omittedColumns).toEqual([]);
    expect(printed(60)).toBe(`2026-11-23…  a name…  active  ${id}`);
    expect(omittedColumns).toEqual(['owner']);
    expect(printed(20)).toBe(id);
    expect(table([{ at: row.createdAt, name: row.name, id }], ['at', 'name', 'id'], 57, PLAIN)).toContain(
      `\n2026-11-23 06:21…  a nam…  ${id}\n`,
    );
  });

  describe('a list', () => {
    const ROWS = [
      {
        id: 'end_01m83h2w69evc8q4c7gghfyn74',
        url: 'https://receiver.example.org/webhooks/slipway',
        health: { successRate: 1 },
      },
      { id: 'end_01m83h2w69evc8q4c7gghfyn75', url: 'https://receiver.example.org/a', health: { successRate: null } },
    ];
    const COLUMNS = ['id', 'url', 'health.successRate'];
    const printed = async (isTerminal: boolean, columns: number) => {
      const texts = { out: '', err: '' };
      await printList(ioOf(texts, { isTerminal, columns }), ROWS, COLUMNS, PLAIN);
      return texts;
    };

    test('a list is a block for each row if the terminal is too narrow, and nothing is cut or left out', async () => {
      expect(await printed(true, 70)).toEqual({
        out: [
          'ID            end_01m83h2w69evc8q4c7gghfyn74',
          'URL           https://receiver.example.org/webhooks/slipway',
          'Success rate  1',
          '',
          'ID            end_01m83h2w69evc8q4c7gghfyn75',
          'URL           https://receiver.example.org/a',
          'Success rate  -',
          '',
        ].join('\n'),
        err: '',
      });
    });

    test.each([10, 24, 40, 80])('a list has every character of every value at %i columns', async (width) => {
      const { out } = await printed(true, width);
      for (const { id, url } of ROWS) for (const value of [id, url]) expect(out.replaceAll(/\s/g, '')).toContain(value);
    });

    test('a list is a table if the terminal is wide enough, and whole lines of JSON in a pipe of any width', async () => {
      expect((await printed(true, 120)).out).toMatch(/^ID +URL +SUCCESS RATE\n/);
      const { out } = await printed(false, 10);
      expect(
        out
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ).toEqual(ROWS);
    });

    test('a list stays a table if only the time of day of a timestamp has no room', () => {
      const row = { name: 'Crane', createdAt: '2026-11-23T06:21:53Z' };
      expect(fitsWhole([row], ['name', 'createdAt'], 20)).toBe(true);
      expect(fitsWhole([row], ['name', 'createdAt'], 15)).toBe(false);
      expect(fitsWhole([{ ...row, name: 'A long name' }], ['name', 'createdAt'], 20)).toBe(false);
    });
  });

  test.each([
    ['expiresAt', 'EXPIRES AT'],
    ['health.successRate', 'SUCCESS RATE'],
    ['summary.passed', 'PASSED'],
    ['installation.state', 'INSTALLATION STATE'],
    ['url', 'URL'],
    ['durationMs', 'DURATION MS'],
  ])('separates the words of the heading of %s', (field, heading) => {
    expect(table([{ [field]: 'x' }], [field], 40, PLAIN)).toBe(`${heading}\n${'x'}\n`);
  });

  test.each([
    [13 / 14, '0.929'],
    [0.1, '0.1'],
    [2 / 3, '0.667'],
    [0.0001234567, '0.000123'],
    [0.99996, '0.999'],
    [1, '1'],
    [1234.567, '1235'],
    [12.3456, '12.3'],
    [200_000_001, '200000001'],
  ])('rounds the fraction %d to %s in a table, and JSON keeps all of its digits', (rate, shown) => {
    const row = { rate };
    expect(table([row], ['rate'], 40, PLAIN)).toBe(`RATE\n${shown}\n`);
    expect(record(row, 40, PLAIN)).toBe(`rate  ${shown}\n`);
    expect(JSON.parse(escapeJson(row))).toEqual(row);
  });

  const COLOURED = { ...PLAIN, hasColour: true };
  /** Returns the same row as a table, as a record, and as a line of a stream. */
  function printed(field: string, value: unknown): string[] {
    const row = Object.fromEntries([[field, value]]);
    let streamed = '';
    const io = { ...ioOf({ out: '', err: '' }, { isTerminal: true }), out: (text: string) => (streamed += text) };
    createStream(io, [field], COLOURED)([row]);
    return [table([row], [field], 80, COLOURED), record(row, 80, COLOURED), streamed];
  }

  test.each([
    ['state', 'revoked', 31],
    ['installation.state', 'authorised', 32],
    ['verdict', 'failed', 31],
    ['outcome', 'holds', 32],
    ['status', 404, 31],
    ['lastStatus', 503, 31],
    ['status', 201, 32],
  ])('colours a status or outcome: %s %s', (field, value, colour) => {
    for (const text of printed(field, value)) expect(text).toContain(`\u001b[${colour}m${value}\u001b[0m`);
  });

  test.each([
    ['effect.latencyMs', 500],
    ['counts.publications', 200],
    ['state', 404],
    ['expects', 'accepted'],
    ['name', 'failed'],
    ['estate', 'active'],
  ])('does not colour other fields with the same text: %s %s', (field, value) => {
    for (const text of printed(field, value)) expect(text).not.toMatch(/\[3[12]m/);
  });

  test.each([
    ['東京', 4],
    ['👩‍👩‍👧', 2],
    ['é', 1],
    ['abc', 3],
  ])('%s takes %i cells', (text, width) => {
    expect(widthOf(text)).toBe(width);
    expect(widthOf(shorten(text.repeat(9), 5))).toBeLessThanOrEqual(5);
  });
});

describe('chosen fields', () => {
  test('selectFields returns fields in the chosen order, nested ones by their path', () => {
    const event = { id: 'evt_1', type: 'ping', subject: { id: 'srv_1' }, note: null };
    expect(JSON.stringify(selectFields(event, ['subject.id', 'id', 'note']))).toBe(
      '{"subject.id":"srv_1","id":"evt_1","note":null}',
    );
  });

  test.each([
    'nope',
    'subject.nope',
    '__proto__',
    'toString',
  ])('selectFields refuses the unknown field %s and names the existing ones', (field) => {
    expect(() => selectFields({ id: 'evt_1', subject: {} }, [field])).toThrow(
      /field .* not found; existing fields: id, subject\./,
    );
  });
});

describe('typed values', () => {
  test('timestamp accepts ISO 8601 and a duration before now', () => {
    expect(timestamp('2026-11-02T10:15:30Z')).toBe('2026-11-02T10:15:30.000Z');
    const twoHoursAgo = Date.parse(timestamp('2h'));
    expect(Date.now() - twoHoursAgo).toBeGreaterThanOrEqual(7_200_000);
    expect(() => timestamp('yesterday')).toThrow(/must be a time such as 10m/);
  });

  test('number, list and pairs parse valid text and refuse other text', () => {
    expect(number('0.5')).toBe(0.5);
    expect(() => number('')).toThrow(/must be a number/);
    expect(list('c', list('a, b', undefined))).toEqual(['a', 'b', 'c']);
    expect(pairs('b==', pairs('a=1', undefined))).toEqual({ a: '1', b: '=' });
    expect(() => pairs('=x', undefined)).toThrow(/name=value/);
  });
});

test('a dry run prints a quoted shell command without the credential', async () => {
  const init = { method: 'POST', headers: { authorization: 'Bearer slp_x', 'x-a': "it's" }, body: `{"a":"'$(id)'"}` };
  const printed = toCurl('http://console.test/a?b=1&c=2', init, 'SLIPWAY_TOKEN');
  expect(printed).toBe(
    [
      `curl -X POST 'http://console.test/a?b=1&c=2' \\`,
      `  -H "Authorization: Bearer $SLIPWAY_TOKEN" \\`,
      `  -H 'x-a: it'\\''s' \\`,
      `  --data-raw '{"a":"'\\''$(id)'\\''"}'`,
    ].join('\n'),
  );
  const refusal = await printingFetch(() => {}, 'SLIPWAY_TOKEN')('http://a').catch((error: unknown) => error);
  expect(isDryRun(refusal)).toBe(true);
});

describe('profiles', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-profiles-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'deep', 'config.json');
  const one = { consoleUrl: 'http://a', token: 'slp_1', organisation: { id: 'org_1', name: 'Harbour Tools' } };

  test('writeProfiles makes the file readable by its owner only, also if it existed with other permissions', () => {
    expect(readProfiles(file)).toEqual({ current: undefined, all: {} });
    mkdirSync(dirname(file));
    writeFileSync(file, '{}', { mode: 0o666 });
    writeProfiles(file, { current: 'a', all: { a: one } });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readProfiles(file, () => expect.fail('other users cannot read it'))).toEqual({
      current: 'a',
      all: { a: one },
    });
  });

  test.each([
    '{',
    '[]',
    '{"profiles":{"a":{}}}',
    '{"profiles":{"a":{"token":1}}}',
    'null',
  ])('readProfiles refuses the invalid file %s and says how to fix it', (text) => {
    const bad = join(folder, 'bad.json');
    writeFileSync(bad, text, { mode: 0o600 });
    expect(() => readProfiles(bad)).toThrow(/bad\.json is not a list of profiles\. Remove it/);
  });

  test('findProfile finds a profile by name, and nameFor keeps the name of an organisation', () => {
    const all = { 'harbour-tools': one };
    expect(nameFor({ current: undefined, all }, one)).toBe('harbour-tools');
    expect(nameFor({ current: undefined, all }, { ...one, consoleUrl: 'http://b' })).toBe('harbour-tools-2');
    expect(nameFor({ current: undefined, all: {} }, { ...one, organisation: { id: 'o', name: '港' } })).toBe('default');
    expect(() => findProfile({ current: undefined, all }, 'constructor')).toThrow(/existing profiles: harbour-tools/);
  });
});

test('the headings of rows that arrive one after another stand above the columns of the first row', () => {
  const printed = { out: '', err: '' };
  const print = createStream(ioOf(printed, { isTerminal: true }), ['at', 'type', 'id'], PLAIN);
  print([{ at: '2026-01-02T03:04:05.000Z', type: 'ticket.created', id: 'evt_1' }]);
  const [head = '', row = ''] = printed.out.split('\n');
  expect([head.indexOf('TYPE'), head.indexOf('ID')]).toEqual([row.indexOf('ticket.created'), row.indexOf('evt_1')]);
  expect(head).toBe(head.trimEnd());
});

test('rows that arrive one after another are printed below headings on a terminal, and have none as JSON', () => {
  for (const [isTerminal, expected] of [
    [true, 'LAST STATUS  ID\n500          a\n200          b\n'],
    [false, '{"lastStatus":500,"id":"a"}\n{"lastStatus":200,"id":"b"}\n'],
  ] as const) {
    const printed = { out: '', err: '' };
    const print = createStream(ioOf(printed, { isTerminal }), ['lastStatus', 'id'], PLAIN);
    for (const [lastStatus, id] of [
      [500, 'a'],
      [200, 'b'],
    ])
      print([{ lastStatus, id }]);
    expect(printed.out).toBe(expected);
  }
});
