// The schema decides how a query is converted, and each error of the framework becomes one problem.
import { describe, expect, test } from 'vitest';
import { problemsAt } from '../../access/problems/index.ts';
import { coerceQuery, createServer, frameworkProblem } from './http.ts';
import { strictObject, Type } from './schema.ts';

const schema = strictObject({
  limit: Type.Optional(Type.Integer()),
  isOpen: Type.Optional(Type.Boolean()),
  text: Type.Optional(Type.String()),
});

describe('query', () => {
  test.each([
    [{ limit: '25' }, { limit: 25 }],
    [{ limit: '-1' }, { limit: -1 }],
    [{ limit: '007' }, { limit: 7 }],
    [{ limit: '9007199254740991' }, { limit: Number.MAX_SAFE_INTEGER }],
    [{ limit: '-9007199254740991' }, { limit: Number.MIN_SAFE_INTEGER }],
    [{ isOpen: 'true' }, { isOpen: true }],
    [{ isOpen: 'false' }, { isOpen: false }],
    [{ text: '25' }, { text: '25' }],
    [{ text: 'true' }, { text: 'true' }],
  ])('converts the query %j to %j', (query, read) => {
    expect(coerceQuery(schema, query)).toEqual(read);
  });

  test.each([
    [{ limit: '' }],
    [{ limit: ' 1' }],
    [{ limit: '1e3' }],
    [{ limit: '0x10' }],
    [{ limit: '1.0' }],
    [{ limit: '+1' }],
    [{ limit: '9007199254740992' }],
    [{ limit: '9999999999999999' }],
    [{ limit: ['1', '2'] }],
    [{ isOpen: '1' }],
    [{ isOpen: 'TRUE' }],
    [{ unknown: '1' }],
  ])('leaves the query %j unchanged, so that validation refuses it', (query) => {
    expect(coerceQuery(schema, query)).toEqual(query);
  });

  test('does not treat a name that every object has as a parameter of the schema', () => {
    const query: Record<string, unknown> = JSON.parse('{"constructor":"1","toString":"true"}');
    expect(coerceQuery(schema, query)).toEqual(query);
  });

  test('converts nothing without a schema', () => {
    expect(coerceQuery(undefined, { limit: '1' })).toEqual({ limit: '1' });
  });
});

describe('errors of the framework', () => {
  const failure = (code: string, statusCode?: number): Error =>
    Object.assign(new Error('no'), { code, ...(statusCode !== undefined && { statusCode }) });

  test.each([
    ['FST_ERR_CTP_BODY_TOO_LARGE', 'body_too_large'],
    ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'unsupported_media_type'],
    ['FST_ERR_CTP_INVALID_JSON_BODY', 'invalid_request'],
  ])('converts the framework error %s to %s', (code, expected) => {
    expect(frameworkProblem(failure(code))?.code).toBe(expected);
  });

  test('reports a body that is not JSON as an error of the caller', () => {
    expect(frameworkProblem(new SyntaxError('Unexpected token'))?.code).toBe('invalid_request');
    expect(frameworkProblem(failure('', 400))?.code).toBe('invalid_request');
  });

  test('does not report an error of the server as one of the caller', () => {
    for (const error of [new Error('no'), failure('FST_ERR_SEND_INSIDE_ONERR', 500), 'text', undefined]) {
      expect(frameworkProblem(error)).toBeUndefined();
    }
  });
});

test('applies one time limit to the headers and to the whole request', async () => {
  const app = createServer({ problems: problemsAt(''), headers: {}, trustedProxies: [] });
  expect([app.server.headersTimeout, app.server.requestTimeout]).toEqual([15_000, 15_000]);
  await app.close();
});
