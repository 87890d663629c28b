// Tests the record of one object on a terminal: every sentence is printed in full at any width.
import { describe, expect, test } from 'vitest';
import { printOne } from '../src/output.ts';
import { record } from '../src/record.ts';
import { widthOf, wrap } from '../src/text.ts';
import { ioOf } from './terminal.ts';

const PLAIN = { json: undefined, hasColour: false };
const FIX =
  'There was no answer within ten seconds: answer with 200 before the work is done, and do it afterwards, 東京 or not.';
const id = 'evt_01m85v0ezjez199r5k14hdha7r';
const request = (status: number | null) => ({ webhookId: id, sentAt: '2026-11-02T10:15:30Z', durationMs: 12, status });
const drill = {
  id: 'drl_01m85v0ezjez199r5k14hdha7r',
  steps: [
    { name: 'correct', expects: 'accepted', verdict: 'passed', fix: null, requests: [request(200)] },
    { name: 'raw_bytes', expects: 'accepted', verdict: 'failed', fix: FIX, requests: [request(null), request(500)] },
    { name: 'delayed', expects: 'accepted', verdict: 'unseen', fix: 'Wait.', requests: [] },
  ],
};

test('a list of sentences in a record takes one line per sentence', () => {
  expect(
    record({ scopes: ['a:read', 'b:read'], notEvaluated: ['The rate of it.', 'The form of it.'], x: [] }, 70, PLAIN),
  ).toBe(
    'scopes        a:read, b:read\nnotEvaluated  The rate of it.\n              The form of it.\nx             -\n',
  );
});

describe('a list in a record', () => {
  test('a nested list is a table with wrapped sentences and nested lists below each row', () => {
    expect(record(drill, 70, PLAIN)).toBe(`id  drl_01m85v0ezjez199r5k14hdha7r

steps
NAME       EXPECTS   VERDICT
correct    accepted  passed
  requests:
    WEBHOOK ID                      SENT AT        DURATION MS  STATUS
    evt_01m85v0ezjez199r5k14hdha7r  2026-11-02 1…  12           200
raw_bytes  accepted  failed
  fix: There was no answer within ten seconds: answer with 200
    before the work is done, and do it afterwards, 東京 or not.
  requests:
    WEBHOOK ID                      SENT AT        DURATION MS  STATUS
    evt_01m85v0ezjez199r5k14hdha7r  2026-11-02 1…  12           -
    evt_01m85v0ezjez199r5k14hdha7r  2026-11-02 1…  12           500
delayed    accepted  unseen
  fix: Wait.
`);
  });

  test('a nested list is only a table if every value fits', () => {
    const steps = drill.steps.map(({ requests: _, ...step }) => step);
    const printed = record({ steps }, 200, PLAIN);
    expect(printed.split('\n')).toHaveLength(7);
    expect(printed).toMatch(/\nraw_bytes +accepted +failed +There was no answer .* or not\.\n/);
  });

  test.each([40, 60, 80, 120, 300])('a nested list has every word of a sentence, within %i columns', (width) => {
    const printed = record(
      { steps: drill.steps, notes: [{ text: FIX }, { text: `${FIX} ${FIX}`, of: { id, why: FIX } }] },
      width,
      PLAIN,
    );
    const words = printed.replaceAll(/\s+/g, ' ');
    // Once for the step; the notes contain three, and one more within an object.
    expect(words.split(FIX)).toHaveLength(6);
    expect(printed).not.toMatch(/[[{"]/);
    const lines = printed.split('\n').filter((line) => !line.includes(id));
    expect(lines.filter((line) => widthOf(line) > width)).toEqual([]);
  });
});

test('escapes names and sentences below a row', () => {
  const hostile = 'a\u001b[2J\u202e\u009b1m\r';
  const text = `${hostile} ${FIX}`;
  const printed = record({ rows: [{ [hostile]: text, [`${hostile}s`]: [{ [hostile]: text }] }] }, 40, PLAIN);
  expect(printed).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
  expect(printed).toContain(String.raw`a\x1b[2J\u{202e}\x9b1m\rs:`);
});

test('names each column that several lists omit once', () => {
  const printed = { out: '', err: '' };
  printOne(ioOf(printed, { isTerminal: true, columns: 48 }), drill, PLAIN);
  expect(printed.err).toBe('Columns that do not fit: durationMs, status. Use a wider terminal or --json.\n');
});

test.each([
  ['one two three', 7, ['one two', 'three']],
  ['unbreakable it is', 5, ['unbreakable', 'it is']],
  ['東京 東京', 8, ['東京', '東京']],
  ['', 5, ['']],
])('wraps %s at %i cells', (text, cells, lines) => {
  expect(wrap(text, cells)).toEqual(lines);
});
