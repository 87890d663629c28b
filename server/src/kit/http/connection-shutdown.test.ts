// A shutdown waits for requests that are being answered, and for nothing else.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { watchConnections } from './connection-shutdown.ts';

const LONGEST_MS = 300;

async function start(onRequest: (response: ServerResponse) => unknown) {
  const server = createServer((_request, response) => onRequest(response));
  const connections = watchConnections(server, LONGEST_MS);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const visit = async (text: string): Promise<Socket> => {
    const accepted = once(server, 'connection');
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    if (text) socket.write(text);
    const [other] = (await accepted) as [Socket];
    while (text && other.bytesRead === 0) await setImmediate();
    return socket.resume();
  };
  const stop = async (): Promise<void> => {
    connections.end();
    await new Promise((resolve) => server.close(resolve));
  };
  return { visit, stop };
}

test('a shutdown closes a connection without input, and keeps a connection that is being answered', async () => {
  const held: ServerResponse[] = [];
  const { visit, stop } = await start((response) => held.push(response));
  const silent = await visit('');
  const asking = await visit('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  while (held.length === 0) await setImmediate();
  const stopped = stop();
  await once(silent, 'close');
  let text = '';
  asking.on('data', (chunk) => {
    text += chunk;
  });
  const ended = once(asking, 'end');
  held[0]?.end('all of it');
  await Promise.all([stopped, ended]);
  expect(text).toMatch(/^HTTP\/1\.1 200[\s\S]*all of it/);
});

test('a shutdown waits for an incomplete request as long as a whole one may take', async () => {
  const { visit, stop } = await start(() => {});
  const half = await visit('GET / HTTP/1.1\r\nHo');
  const closed = once(half, 'close');
  await stop();
  await closed;
  expect(half.destroyed).toBe(true);
});
