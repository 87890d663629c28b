// Receivers: one listener with a path per endpoint. The public library verifies every arrival over its raw bytes, and
// the arrival is recorded.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { Secret } from '../../server/src/kit/crypto/secret.ts';
import { sharedMs } from './print-errors.ts';

/** One request, as its receiver recorded it. */
export interface Arrival {
  path: string;
  atMs: number;
  eventId: string;
  deliveryId: string;
  attempt: number;
  version: string;
  bodyHash: string;
  body: string;
  /** Undefined until it has been answered. */
  status: number | undefined;
}

export interface Receiver {
  /** The host in the form of the operator's allow list. */
  host: string;
  url(path: string): string;
  /** Sets the secrets that may sign messages to a path. */
  expect(path: string, ...secrets: Secret[]): void;
  arrivals: Arrival[];
  /** The reasons why the library refused arrivals. */
  refused: string[];
  /** Resolves when each request that was written before the call has arrived. */
  settle(): Promise<unknown>;
  /** Returns the number of requests that wait for a response. */
  open(): number;
  close(): Promise<void>;
}

export type Answer = (arrival: Arrival) => { status: number; afterMs: number };

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Starts a receiver. `ignores` returns true for paths whose requests are accepted, never read completely, and never
 * answered.
 */
export async function startReceiver(
  answer: Answer,
  ignores: (path: string) => boolean = () => false,
): Promise<Receiver> {
  const secrets = new Map<string, readonly Webhook[]>();
  const arrivals: Arrival[] = [];
  const refused: string[] = [];
  const sockets = new Set<Socket>();
  let open = 0;

  function verify(path: string, body: Buffer, headers: IncomingMessage['headers']): void {
    const reasons = (secrets.get(path) ?? []).map((webhook) => {
      try {
        webhook.verify(body, headers as Record<string, string>); // a repeated header is refused there
        return undefined;
      } catch (error) {
        return String(error);
      }
    });
    if (!reasons.includes(undefined)) refused.push(`${path}: ${reasons.join(', ') || 'no receiver has this path'}`);
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const atMs = sharedMs();
    const { headers, url: path = '' } = request;
    if (ignores(path)) return;
    if (request.method === 'HEAD') return void response.end();
    const body = await bytesOf(request);
    verify(path, body, headers);
    const arrival: Arrival = {
      path,
      atMs,
      eventId: String(headers['webhook-id']),
      deliveryId: String(headers['slipway-delivery-id']),
      attempt: Number(headers['slipway-attempt']),
      version: String(headers['slipway-schema-version']),
      bodyHash: createHash('sha256').update(body).digest('hex'),
      body: body.toString(),
      status: undefined,
    };
    arrivals.push(arrival);
    const { status, afterMs } = answer(arrival);
    const reply = (): void => {
      arrival.status = status;
      response.writeHead(status).end();
    };
    if (afterMs === 0) reply();
    else {
      const timer = setTimeout(reply, afterMs);
      response.on('close', () => clearTimeout(timer));
    }
  }

  const server = createServer((request, response) => {
    open += 1;
    response.on('close', () => {
      open -= 1;
    });
    receive(request, response).catch(() => {}); // aborted by the sender, so nothing arrived
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP address
  return {
    host,
    url: (path) => `http://${host}${path}`,
    expect: (path, ...all) =>
      secrets.set(
        path,
        all.map((one) => new Webhook(one.reveal())),
      ),
    arrivals,
    refused,
    // The requests before arrive first, because their connections are older.
    settle: () => once(get(`http://${host}`, { method: 'HEAD', agent: false }), 'response'),
    open: () => open,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
