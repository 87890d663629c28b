// The Console's reference of problems says what their pages say, for every code there is: it is drawn from the contract.
import { expect, test } from 'vitest';
import type { Document } from '../../console/src/platform/reference/document.ts';
import { readReference } from '../../console/src/platform/reference/reference.ts';
import { entriesOf } from '../../console/src/platform/reference/search.ts';
import { API_PROBLEM_CODES, PROBLEM_CODES, PROBLEMS, SERVED_BY } from '../src/access/problems/index.ts';
import { publicDocument } from '../src/listeners/sandbox-api.ts';
import { problemPage } from '../src/platform/contract/problem-page.ts';

const PAGES = 'http://sandbox.test/problems';
// As the Console reads it: from JSON.
const document = JSON.parse(JSON.stringify(publicDocument('http://sandbox.test', PAGES))) as Document;
const reference = readReference(document);

const plain = (html: string): string =>
  html
    .replaceAll(/<\/?code>/g, '`')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"');

test('every code has its entry there, and can be found by its name', () => {
  expect(reference.problems.map(({ code }) => code).sort()).toEqual([...PROBLEM_CODES].sort());
  const found = entriesOf(reference).filter(({ kind }) => kind === 'problems');
  expect(found.map(({ name }) => name).sort()).toEqual([...PROBLEM_CODES].sort());
});

test.each(PROBLEM_CODES)('%s: meaning, cause, mend, who answers it and the example are those of its page', (code) => {
  const entry = reference.problems.find((one) => one.code === code);
  const { status, title, meaning, cause, mend, servedBy } = PROBLEMS[code];
  expect(entry).toMatchObject({ status: String(status), title, meaning, cause, mend, servedBy: SERVED_BY[servedBy] });
  const page = plain(problemPage(code, PAGES));
  for (const part of [title, meaning, cause, mend, SERVED_BY[servedBy]]) expect(page).toContain(part);
  expect(page).toContain(JSON.stringify(entry?.example, null, 2));
  expect(entry?.page).toBe(`${PAGES}/${code.replaceAll('_', '-')}`);
});

test('an operation has the problems that its refusals name, and no others', () => {
  const me = reference.operations.find(({ id }) => id === 'getMe');
  const refusals = Object.entries(document.paths?.['/v1/me']?.get?.responses ?? {}).filter(([status]) => status >= '4');
  const named = refusals.flatMap(([, one]) => ('content' in one ? Object.values(one.content ?? {}) : []));
  const codes = named.flatMap(({ examples }) => Object.keys(examples ?? {}));
  expect(codes).toContain('missing_key');
  expect(me?.problems.map(({ code }) => code).sort()).toEqual([...codes].sort());
  const all = new Set(reference.operations.flatMap(({ problems }) => problems.map(({ code }) => code)));
  expect([...all].filter((code) => !(API_PROBLEM_CODES as string[]).includes(code))).toEqual([]);
});
