import { expect, test } from 'vitest';
import { durationLines, type FileTime } from '../scripts/durations.ts';

test('the summary of a run names the time of each project and the 25 slowest files, slowest first', () => {
  const files: FileTime[] = Array.from({ length: 30 }, (_, at) => ({
    project: at % 3 === 0 ? 'start' : 'server',
    file: `test/file-${at}.test.ts`,
    ms: at * 1_000 + 49,
  }));
  const lines = durationLines(files);
  expect(lines.slice(0, 4)).toEqual([
    'Time of each project, as the sum over its files:',
    '  301.0 s  server (20 files)',
    '  135.5 s  start (10 files)',
    'The 25 slowest files:',
  ]);
  const named = lines.slice(4).map((line) => line.trim());
  expect(named).toHaveLength(25);
  expect([named[0], named.at(-1)]).toEqual(['29.0 s  test/file-29.test.ts', '5.0 s  test/file-5.test.ts']);
});

test('the summary of a run with fewer files names all of them', () => {
  expect(durationLines([{ project: 'server', file: 'a.test.ts', ms: 1_234 }])).toEqual([
    'Time of each project, as the sum over its files:',
    '    1.2 s  server (1 files)',
    'The 1 slowest files:',
    '    1.2 s  a.test.ts',
  ]);
});
