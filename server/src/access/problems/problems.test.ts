// Each problem has a body of the specified shape, a meaning and a fix.
import { describe, expect, test } from 'vitest';
import { ProblemError, problem, problemBody, problemSlug } from '../../kit/openapi/problems.ts';
import { PROBLEM_CODES, PROBLEMS, problemsAt } from './index.ts';

const URL_OF_PROBLEMS = 'https://sandbox.example.org/problems';
const ALL = problemsAt(URL_OF_PROBLEMS);

test('missing_scope has exactly the five specified fields, whatever is added', () => {
  for (const extra of [{}, { detail: 'why', errors: [] }]) {
    expect(problemBody('missing_scope', 'req_1', ALL, extra)).toEqual({
      type: `${URL_OF_PROBLEMS}/missing-scope`,
      title: 'Missing scope',
      status: 403,
      code: 'missing_scope',
      requestId: 'req_1',
    });
  }
});

describe.each(PROBLEM_CODES)('%s', (code) => {
  test('has an error status, and sentences for its page', () => {
    const { status, title, meaning, fix } = PROBLEMS[code];
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    expect(title).toMatch(/^[A-Z].*[^.]$/);
    expect(meaning).toMatch(/\.$/);
    expect(fix).toMatch(/^[A-Z][^\n]{10,250}\.$/);
  });

  test('has a slug that leads back to it', () => {
    expect(problemSlug(code)).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(PROBLEM_CODES.filter((other) => problemSlug(other) === problemSlug(code))).toEqual([code]);
  });

  test('has the fix as its detail by default, and no field that was not given', () => {
    const { status, title, fix } = PROBLEMS[code];
    const type = `${URL_OF_PROBLEMS}/${problemSlug(code)}`;
    const five = { type, title, status, code, requestId: 'req_1' };
    const body = problemBody(code, 'req_1', ALL, { headers: { 'retry-after': '1' } });
    expect(body).toStrictEqual(code === 'missing_scope' ? five : { ...five, detail: fix });
  });
});

test('titles of problems are unique', () => {
  expect(new Set(PROBLEM_CODES.map((code) => PROBLEMS[code].title)).size).toBe(PROBLEM_CODES.length);
});

test('a problem body ends with the given detail and errors, in that order', () => {
  const errors = [{ pointer: '/a', detail: 'is required' }];
  const body = problemBody('invalid_request', 'req_1', ALL, { detail: 'why', errors });
  expect(Object.keys(body)).toEqual(['type', 'title', 'status', 'code', 'requestId', 'detail', 'errors']);
  expect(body).toMatchObject({ detail: 'why', errors });
});

test('a thrown problem is an error that names its code', () => {
  const thrown = problem('conflict', { detail: 'It is revoked.' });
  expect(thrown).toBeInstanceOf(ProblemError);
  expect(thrown.message).toBe('conflict: It is revoked.');
  expect(problem('conflict').message).toBe('conflict');
});
