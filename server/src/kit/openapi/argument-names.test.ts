import { expect, test } from 'vitest';
import { renamedArguments } from './argument-names.ts';

const renamed = (path: string[], query: string[]) => {
  const { path: inPath, query: inQuery } = renamedArguments({ path, query });
  return { ...Object.fromEntries(inPath), ...Object.fromEntries([...inQuery].map(([name, to]) => [`?${name}`, to])) };
};

test('parameters with different names keep their names', () => {
  expect(renamed(['orderId'], ['limit', 'order_id'])).toEqual({});
});

test('a query parameter with the name of the body or of a parameter in the path gets a suffix', () => {
  expect(renamed(['orderId', 'shopId'], ['body', 'shopId', 'limit'])).toEqual({
    '?body': 'bodyQuery',
    '?shopId': 'shopIdQuery',
  });
});

test('parameters in path and query with the name of the body have different arguments', () => {
  expect(renamed(['body'], ['body'])).toEqual({ body: 'bodyPath', '?body': 'bodyQuery' });
});

test('a new name differs from every other parameter', () => {
  expect(renamed(['body', 'bodyPath'], ['body', 'bodyQuery'])).toEqual({
    body: 'bodyPathPath',
    '?body': 'bodyQueryQuery',
  });
});
