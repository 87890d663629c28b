import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { DatabaseUnavailable } from '../../kit/db/db.ts';
import { remoteLink } from './link.ts';

const CALL = { method: 'GET', path: '/notices', assertion: 'a', body: undefined } as const;

test('an unreachable management listener is named with its environment and address, and is no database', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP address
  await new Promise((resolve) => server.close(resolve));
  const link = remoteLink('production', `http://user:secret@127.0.0.1:${port}/plane`);
  const error: unknown = await link(CALL).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(DatabaseUnavailable); // callers answer 503
  expect(String(error)).toBe(
    `ManagementUnavailable: The management listener of production at http://127.0.0.1:${port} did not answer: connect ECONNREFUSED 127.0.0.1:${port}`,
  );
});
