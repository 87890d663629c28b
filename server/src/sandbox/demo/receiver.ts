// The demo's receiver: a minimal example of an integrator's receiver. It verifies each message over the raw bytes with
// the public library, and shows the received messages.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { Secret } from '../../kit/crypto/secret.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { checkHost } from '../../kit/http/host-header.ts';
import { CONNECTION_TIMEOUT_MS, LISTENER_LIMITS } from '../../kit/http/http.ts';
import { beginRequest, endRequest } from '../../kit/http/pipelining-limit.ts';
import { createEventApplier, type EventApplier } from './event-applier.ts';
import { createReceipts, describeMessage, type Receipts } from './receipt.ts';
import { PAGE_HEADERS, renderPage } from './receipt-page.ts';

interface DemoReceiverOptions {
  host: string;
  /** 0 selects a free port. */
  port: number;
  /** Returns the signing secrets of the endpoints that send here. Without any, no message can be verified. */
  secrets(): Promise<readonly Secret[]>;
  log(line: object): void;
}

export interface DemoReceiver {
  url: string;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 512 * 1024;
/** Maximum number of connections. Workers keep a few; no sender of webhooks needs more. */
const MAX_CONNECTIONS = 64;

/** Returns the raw bytes; undefined if the body is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns the reason why the message is not genuine; undefined if one of the endpoints signed it. */
function refuse(body: Buffer, headers: IncomingMessage['headers'], secrets: readonly Secret[]): string | undefined {
  const texts = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
  let reason = 'This receiver has no signing secret yet.';
  for (const secret of secrets) {
    try {
      new Webhook(secret.reveal()).verify(body, Object.fromEntries(texts));
      return undefined;
    } catch (error) {
      reason = error instanceof Error ? error.message : 'The message could not be verified.';
    }
  }
  return reason;
}

function answer(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': type,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  response.end(body);
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  { receipts, applied, secrets, log }: DemoReceiverOptions & { receipts: Receipts; applied: EventApplier },
): Promise<void> {
  const body = await readBody(request);
  if (body === undefined) {
    response.setHeader('connection', 'close');
    answer(response, 413, 'text/plain; charset=utf-8', `The body is larger than ${MAX_BODY_BYTES} bytes.\n`);
    return;
  }
  const reason = refuse(body, request.headers, await secrets()) ?? null;
  const webhookId = request.headers['webhook-id'];
  const seen = describeMessage(body, typeof webhookId === 'string' ? webhookId : undefined);
  const receipt = receipts.add({ ...seen, isVerified: reason === null, reason }, nowMs());
  log({ event: 'demo.received', ...receipt });
  if (reason === null) response.writeHead(204, { 'cache-control': 'no-store', ...applied.apply(body) }).end();
  else answer(response, 400, 'text/plain; charset=utf-8', `${reason}\n`);
}

/** Refuses requests that no sender of webhooks makes: several Host headers, and a post from a page in a browser. */
function refuseSender(request: IncomingMessage): { status: number; detail: string } | undefined {
  const detail = checkHost(request);
  if (detail !== undefined) return { status: 400, detail };
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const isPage = request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined;
  return isPage && !isRead ? { status: 403, detail: 'A page in a browser must not post to this receiver.' } : undefined;
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${error.code ?? error.message})`;
      const message = `The port ${port} of the demo's receiver ${reason}. Set SLIPWAY_DEMO_RECEIVER_PORT to another port.`;
      reject(new Error(message, { cause: error }));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port)); // a TCP server has no other kind of address
  });
}

export async function startDemoReceiver(options: DemoReceiverOptions): Promise<DemoReceiver> {
  const receipts = createReceipts();
  const applied = createEventApplier();
  const server = createServer({ ...LISTENER_LIMITS, requireHostHeader: false }, async (request, response) => {
    const { socket } = request;
    // No sender pipelines this many requests on one connection, so none of them is answered.
    if (beginRequest(socket) !== 'accepted') return void socket.destroy();
    response.once('close', () => endRequest(socket));
    const refusal = refuseSender(request);
    if (refusal) {
      response.setHeader('connection', 'close'); // the body is not read
      answer(response, refusal.status, 'text/plain; charset=utf-8', `${refusal.detail}\n`);
      return;
    }
    const path = (request.url ?? '').split('?', 1)[0];
    const route = `${request.method === 'HEAD' ? 'GET' : request.method} ${path}`;
    try {
      if (route === 'POST /hooks') {
        await receive(request, response, { ...options, receipts, applied });
      } else if (route === 'GET /') response.writeHead(200, PAGE_HEADERS).end(renderPage(receipts.list()));
      else if (route === 'GET /received') answer(response, 200, 'application/json', JSON.stringify(receipts.list()));
      else answer(response, 404, 'text/plain; charset=utf-8', 'POST /hooks receives, GET / shows.\n');
    } catch {
      response.destroy(); // the sender disconnected within its message
    }
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = CONNECTION_TIMEOUT_MS;
  const port = await listen(server, options.host, options.port);
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `http://${host}:${port}/hooks`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
