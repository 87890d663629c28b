// The Console derives its reference of problems from the contract. For every code it must equal the problem's page.
import { expect, test } from 'vitest';
import type { Document } from '../../console/src/platform/reference/document.ts';
import { readReference } from '../../console/src/platform/reference/reference.ts';
import { asSdk } from '../../console/src/platform/reference/request.ts';
import { entriesOf } from '../../console/src/platform/reference/search.ts';
import { API_PROBLEM_CODES, PROBLEM_CODES, PROBLEMS, SERVED_BY } from '../src/access/problems/index.ts';
import { publicDocument } from '../src/listeners/sandbox-api.ts';
import { problemPage } from '../src/platform/contract/problem-page.ts';
import { inlineShared } from './contract-inline.ts';

const PAGES = 'http://sandbox.test/problems';
// The contract as the Console reads it, from JSON.
const document = JSON.parse(JSON.stringify(publicDocument('http://sandbox.test', PAGES))) as Document;
const reference = readReference(document);

const plain = (html: string): string =>
  html
    .replaceAll(/<\/?code>/g, '`')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"');

test('the reference has an entry for each problem, which can be found by its code', () => {
  expect(reference.problems.map(({ code }) => code).sort()).toEqual([...PROBLEM_CODES].sort());
  const found = entriesOf(reference).filter(({ kind }) => kind === 'problems');
  expect(found.map(({ name }) => name).sort()).toEqual([...PROBLEM_CODES].sort());
});

test.each(PROBLEM_CODES)('the entry of %s has the meaning, cause, remedy, origin and example of its page', (code) => {
  const entry = reference.problems.find((one) => one.code === code);
  const { status, title, meaning, cause, fix, servedBy } = PROBLEMS[code];
  expect(entry).toMatchObject({ status: String(status), title, meaning, cause, fix, servedBy: SERVED_BY[servedBy] });
  const page = plain(problemPage(code, PAGES));
  for (const part of [title, meaning, cause, fix, SERVED_BY[servedBy]]) expect(page).toContain(part);
  expect(page).toContain(JSON.stringify(entry?.example, null, 2));
  expect(entry?.page).toBe(`${PAGES}/${code.replaceAll('_', '-')}`);
});

test('the SDK call of the form has a different argument for each parameter, also if two have the same name', () => {
  const [operation] = reference.operations;
  if (!operation) throw new Error('The reference has no operation.');
  const parameters = [
    { name: 'body', in: 'query', 'x-argument': 'bodyQuery' },
    { name: 'page.size', in: 'query' },
  ] as const;
  const call = asSdk(
    { ...operation, parameters: [...parameters] },
    'http://x',
    { 'query/body': 'tea', 'query/page.size': '2' },
    '',
  );
  expect(call).toContain('  bodyQuery: "tea",\n  "page.size": "2",\n');
});

test('an operation in the reference has exactly the problems of its refusals', () => {
  const me = reference.operations.find(({ id }) => id === 'getMe');
  const refusals = Object.entries(inlineShared(document).paths?.['/v1/me']?.get?.responses ?? {}).filter(
    ([status]) => status >= '4',
  );
  const named = refusals.flatMap(([, one]) => ('content' in one ? Object.values(one.content ?? {}) : []));
  const codes = named.flatMap(({ examples }) => Object.keys(examples ?? {}));
  expect(codes).toContain('missing_key');
  expect(me?.problems.map(({ code }) => code).sort()).toEqual([...codes].sort());
  const all = new Set(reference.operations.flatMap(({ problems }) => problems.map(({ code }) => code)));
  expect([...all].filter((code) => !(API_PROBLEM_CODES as string[]).includes(code))).toEqual([]);
});
