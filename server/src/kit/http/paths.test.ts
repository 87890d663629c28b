import { expect, test } from 'vitest';
import { pathFinder } from './paths.ts';

const pathOf = pathFinder(['/v1/servers/{serverId}', '/v1/servers/{serverId}/tickets', '/v1/servers/batch', '/v1/a.b']);

test.each([
  ['/v1/servers/batch', '/v1/servers/batch'],
  ['/v1/servers/batches', '/v1/servers/{serverId}'],
  ['/v1/servers/batch/tickets?limit=1', '/v1/servers/{serverId}/tickets'],
  ['/v1/servers/a%2Fb', '/v1/servers/{serverId}'],
  ['/v1/s%65rvers/a#tickets', '/v1/servers/{serverId}'],
  ['/v1/servers/', '/v1/servers/{serverId}'],
  ['/v1/servers/a/b', undefined],
  ['/v1/servers/a/tickets/', undefined],
  ['/v1/axb', undefined],
  ['/v1/servers', undefined],
  ['http://sandbox.test/v1/servers/a', '/v1/servers/{serverId}'],
  ['/v1/%zz', undefined],
])('finds for %j the path %j, like the router', (url, path) => {
  expect(pathOf(url)).toBe(path);
});
