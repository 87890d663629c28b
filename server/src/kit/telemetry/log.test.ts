// Output to a terminal or a log file contains no control sequence, no line that a sender forged, and no key.
import { format } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { secret } from '../crypto/secret.ts';
import { newToken } from '../crypto/token.ts';
import { createLog, printFailure, printOutput } from './log.ts';

// ANSI colours and a title in C0 and C1 form, a bidirectional override, both separators, a forged line, a lone
// surrogate.
const HOSTILE =
  'a\u001b[31m\u001b]0;t\u0007b\u009b2Jc\u202ed\u2066e\u2028f\u2029g\r\n{"level":30,"msg":"forged"}\ud800\u0000';
const OBEYED = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;
const { token } = newToken('slw_test_');
const personal = newToken('slp_').token;
const signing = 'whsec_abcDEFghiJKLmnoPQRstuVWXtailTail1234567890';
const KEYS = `${token} ${personal} ${signing}`;
const SECRETS = [token.slice(22), personal.slice(17), signing.slice(6)];

function printed(print: () => void): string {
  let text = '';
  const keep = (...parts: unknown[]): void => {
    text += `${format(...parts)}\n`;
  };
  vi.spyOn(console, 'log').mockImplementation(keep);
  vi.spyOn(console, 'error').mockImplementation(keep);
  print();
  return text;
}
afterEach(() => vi.restoreAllMocks());

const failure = Object.assign(new Error(`${HOSTILE} ${KEYS}`, { cause: new Error(`${HOSTILE} ${KEYS}`) }), {
  detail: `${HOSTILE} ${KEYS}`,
});
const fields = { [HOSTILE]: { deep: [`${HOSTILE} ${KEYS}`, { [KEYS]: null }] }, text: `${HOSTILE} ${KEYS}` };

function expectHarmless(text: string): void {
  expect(text).not.toMatch(OBEYED);
  for (const one of SECRETS) expect(text).not.toContain(one);
  expect(text).toContain(`${token.slice(0, 21)}_[secret]`);
}

describe('on a terminal', () => {
  const log = createLog(true);

  test('a terminal line stays one line without control characters and keys', () => {
    const text = printed(() => log.info(`${HOSTILE} ${KEYS}`, fields));
    expect(text.split('\n')).toHaveLength(2);
    expectHarmless(text);
    expect(text).toContain(String.raw`a\x1b[31m\x1b]0;t\x07b\x9b2Jc\u{202e}d`);
  });

  test('an error takes one more line, even if its message contains line breaks and control characters', () => {
    const text = printed(() => log.error('job.failed', failure, fields));
    expect(text.split('\n')).toHaveLength(3);
    expectHarmless(text);
    expectHarmless(printed(() => log.error('job.failed', { text: `${HOSTILE} ${KEYS}` })));
  });

  test('the output of a command keeps its lines and a new secret, but no control characters', () => {
    const text = printed(() => printOutput(`one\n${HOSTILE}\n${token}`));
    expect(text).toMatch(/^one\na\\x1b/);
    expect(text).not.toMatch(OBEYED);
    expect(text).toContain(token);
  });

  test('the reason for which a process ends contains no key, as a sentence and as an error', () => {
    expectHarmless(printed(() => printFailure(`${HOSTILE} ${KEYS}`)));
    expectHarmless(printed(() => printFailure(failure)));
  });
});

describe('as JSON', () => {
  test('a JSON line keeps its meaning, without control characters and keys', () => {
    const lines: string[] = [];
    const log = createLog(false, { write: (line) => lines.push(line) });
    const circle: Record<string, unknown> = { KEYS };
    circle.circle = circle;
    log.info(`${HOSTILE} ${KEYS}`, { [HOSTILE]: HOSTILE, keys: [KEYS], at: new Date(0), held: secret('x') });
    log.error('job.failed', failure, { circle });
    log.error('job.failed', undefined);
    expect(lines.map((line) => line.split('\n').length)).toEqual([2, 2, 2]);
    const [info, error] = lines;
    for (const line of [info, error]) expectHarmless(line ?? '');
    expect(JSON.parse(info ?? '')).toMatchObject({ level: 30, [HOSTILE]: HOSTILE, held: '[secret]' });
    expect(JSON.parse(info ?? '')).toMatchObject({ at: '1970-01-01T00:00:00.000Z' });
    expect(JSON.parse(error ?? '')).toMatchObject({ level: 50, msg: 'job.failed', err: { type: 'Error' } });
  });
});

test('a Secret prints as [secret] in a text line', () => {
  expect(printed(() => createLog(true).info('x', { held: secret('hidden') }))).toBe('x  held=[secret]\n');
});
