// The check of responses against the contract: the operation to which a request belongs.
import { expect, test } from 'vitest';
import { routesOf } from './contract-check.ts';

const templateOf = (templates: readonly string[], path: string): string | undefined =>
  routesOf(templates).find(({ pattern }) => pattern.test(path))?.template;

test.each([
  ['/v1/shops/7', '/v1/shops/{shopId}'],
  ['/v1/shops/open', '/v1/shops/open'],
  ['/v1/shops/open/orders', '/v1/shops/open/{part}'],
  ['/v1/shops/7/orders', '/v1/shops/{shopId}/orders'],
  ['/v1/shops/zoo', '/v1/shops/{shopId}'],
  ['/v1/shops.json', '/v1/shops.json'],
  ['/v1/shopsXjson', undefined],
])('%s belongs to %s, in any order of the paths', (path, template) => {
  const templates = [
    '/v1/shops/{shopId}',
    '/v1/shops/open',
    '/v1/shops/{shopId}/orders',
    '/v1/shops/open/{part}',
    '/v1/shops.json',
  ];
  expect(templateOf(templates, path)).toBe(template);
  expect(templateOf(templates.toReversed(), path)).toBe(template);
});
