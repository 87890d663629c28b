// Receivers on loopback. Each ignores requests for other paths. The port of a closed receiver may be reused
// immediately, while a dispatcher of another file still delivers to it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createNetServer, type Server, type Socket } from 'node:net';
import { newUuid } from '../../kit/crypto/ids.ts';
import type { ReceivedRequest } from '../webhooks/hook-receiver.fixture.ts';

const listen = async (server: Server, closers: (() => Promise<void>)[]): Promise<number> => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
};

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Creates receivers, which `closers` end. Calls `verify` with each request. */
export function createReceivers(closers: (() => Promise<void>)[], verify: (url: string, one: ReceivedRequest) => void) {
  const ports: number[] = [];

  async function open(server: Server, path: string): Promise<string> {
    const port = await listen(server, closers);
    ports.push(port);
    return `http://127.0.0.1:${port}${path}`;
  }

  return {
    ports,
    /** Starts a receiver that answers as `answer` does. Returns the requests that it got. */
    async receiver(answer: (response: ServerResponse, received: ReceivedRequest, index: number) => void) {
      const path = `/hooks/${newUuid()}`;
      const received: ReceivedRequest[] = [];
      const server = createServer(async (request, response) => {
        const one = { headers: request.headers, body: await bodyOf(request).catch(() => Buffer.alloc(0)) };
        if (request.url !== path) {
          response.writeHead(404).end();
          return;
        }
        verify(`http://${request.headers.host}${path}`, one);
        answer(response, one, received.push(one) - 1);
      });
      return { url: await open(server, path), received };
    },
    /**
     * Starts a TCP receiver that never answers. Returns its bytes, and the time of the first byte of each connection.
     */
    async hangingReceiver(onFirstByte: (socket: Socket) => void = () => {}) {
      const path = `/hooks/${newUuid()}`;
      const seen = { bytes: 0, firstBytesAtMs: [] as number[], closed: 0 };
      const meet = (socket: Socket): void => {
        let isOwnPath = true; // until the first bytes name its path
        socket.once('data', (first) => {
          isOwnPath = first.includes(path);
          if (!isOwnPath) {
            socket.destroy();
            return;
          }
          seen.firstBytesAtMs.push(performance.now());
          onFirstByte(socket);
        });
        socket.on('data', (chunk) => {
          if (isOwnPath) seen.bytes += chunk.length;
        });
        socket.on('close', () => {
          if (isOwnPath) seen.closed += 1;
        });
      };
      const server = createNetServer(meet);
      return { url: await open(server, path), seen };
    },
  };
}
