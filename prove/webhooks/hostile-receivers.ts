// Receivers that write raw bytes. They try to occupy a slot or memory, or to redirect requests. Each is one listener.
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { certificateFor } from '../../server/test/certificate.ts';

export interface HostileReceiver {
  kind: string;
  port: number;
  isTls: boolean;
  close(): Promise<void>;
}

const OK = 'HTTP/1.1 200 OK\r\n';
const BLOCK = Buffer.alloc(65_536, 'x');
const HINTS = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000);
/** A megabyte per kilobyte. */
const BOMB = gzipSync(Buffer.alloc(16 * 1024 * 1024));

function every(socket: Socket, ms: number, run: () => void): void {
  const timer = setInterval(run, ms);
  socket.on('close', () => clearInterval(timer));
}

/** Writes as fast as the other side reads. */
function pour(socket: Socket, chunk: string | Buffer): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
}

/** The behaviour of each receiver after a request has begun. */
export const HOSTILE_BEHAVIOURS: Readonly<Record<string, (socket: Socket) => void>> = {
  'never answers': () => {},
  'drips its header': (socket) => {
    socket.write(`${OK}x-a: `);
    every(socket, 500, () => socket.write('x'));
  },
  'drips its body': (socket) => {
    socket.write(`${OK}\r\n`);
    every(socket, 500, () => socket.write('x'));
  },
  'has an endless body': (socket) => {
    socket.write(`${OK}\r\n`);
    pour(socket, BLOCK);
  },
  'announces 10 GB': (socket) => {
    socket.write(`${OK}content-length: 10737418240\r\n\r\n`);
    pour(socket, BLOCK);
  },
  'sends a gzip bomb': (socket) => {
    socket.write(`${OK}content-encoding: gzip\r\n\r\n`);
    pour(socket, BOMB);
  },
  'floods with headers': (socket) => {
    socket.write(OK);
    pour(socket, `x-flood: ${'y'.repeat(1_000)}\r\n`);
  },
  'floods with informational responses': (socket) => pour(socket, HINTS),
  'floods with chunk extensions': (socket) => {
    socket.write(`${OK}transfer-encoding: chunked\r\n\r\n1;`);
    pour(socket, BLOCK);
  },
  'resets in the middle': (socket) =>
    void socket.write(`${OK}content-length: 1000\r\n\r\nabc`, () => setTimeout(() => socket.resetAndDestroy(), 20)),
  'redirects to the metadata address': (socket) =>
    void socket.end(
      'HTTP/1.1 307 Go\r\nlocation: http://169.254.169.254/latest/meta-data\r\ncontent-length: 0\r\n\r\n',
    ),
};

async function listen(server: Server, address: string, port: number) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port, // a TCP address
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export async function startHostile(kind: string): Promise<HostileReceiver> {
  const act = HOSTILE_BEHAVIOURS[kind];
  const server = createServer((socket) => {
    socket.once('data', () => act?.(socket));
    socket.resume();
  });
  return { kind, isTls: false, ...(await listen(server, '127.0.0.1', 0)) };
}

/** Starts a receiver with a certificate that no client should accept. */
export async function startBadTls(
  kind: string,
  address: string,
  dnsName: string,
  isExpired: boolean,
): Promise<HostileReceiver> {
  const server = createTlsServer(certificateFor(dnsName, isExpired));
  server.on('tlsClientError', () => {});
  server.on('secureConnection', (socket) => socket.on('error', () => {}));
  return { kind, isTls: true, ...(await listen(server, address, 0)) };
}

/** Counts connections to an address to which none may be opened. */
export async function startCanary(address: string, port: number): Promise<{ count(): number; close(): Promise<void> }> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.destroy();
  });
  const { close } = await listen(server, address, port);
  return { count: () => count, close };
}
