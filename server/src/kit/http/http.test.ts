// A query is read as its schema says and otherwise left alone; what the framework refuses has one problem each.
import { describe, expect, test } from 'vitest';
import { problemsAt } from '../../access/problems/index.ts';
import { coerceQuery, createServer, frameworkProblem } from './http.ts';
import { closed, Type } from './schema.ts';

const schema = closed({
  limit: Type.Optional(Type.Integer()),
  isOpen: Type.Optional(Type.Boolean()),
  text: Type.Optional(Type.String()),
});

describe('a query', () => {
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
  ])('%j is read as %j', (query, read) => {
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
  ])('%j stays as it is, for validation to refuse', (query) => {
    expect(coerceQuery(schema, query)).toEqual(query);
  });

  test('a name that every object has is not taken for a parameter of the schema', () => {
    const query: Record<string, unknown> = JSON.parse('{"constructor":"1","toString":"true"}');
    expect(coerceQuery(schema, query)).toEqual(query);
  });

  test('without a schema nothing is read as anything', () => {
    expect(coerceQuery(undefined, { limit: '1' })).toEqual({ limit: '1' });
  });
});

describe('what the framework refuses', () => {
  const failure = (code: string, statusCode?: number): Error =>
    Object.assign(new Error('no'), { code, ...(statusCode !== undefined && { statusCode }) });

  test.each([
    ['FST_ERR_CTP_BODY_TOO_LARGE', 'body_too_large'],
    ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'unsupported_media_type'],
    ['FST_ERR_CTP_INVALID_JSON_BODY', 'invalid_request'],
  ])('%s is %s', (code, expected) => {
    expect(frameworkProblem(failure(code))?.code).toBe(expected);
  });

  test('a body that is no JSON is the caller’s mistake', () => {
    expect(frameworkProblem(new SyntaxError('Unexpected token'))?.code).toBe('invalid_request');
    expect(frameworkProblem(failure('', 400))?.code).toBe('invalid_request');
  });

  test('what is ours is not made the caller’s', () => {
    for (const error of [new Error('no'), failure('FST_ERR_SEND_INSIDE_ONERR', 500), 'text', undefined]) {
      expect(frameworkProblem(error)).toBeUndefined();
    }
  });
});

test('a request has one bound, for its headers and for the whole of it', async () => {
  const app = createServer({ problems: problemsAt(''), headers: {}, trustedProxies: [] });
  expect([app.server.headersTimeout, app.server.requestTimeout]).toEqual([15_000, 15_000]);
  await app.close();
});
