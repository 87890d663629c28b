// An HTTP server that sends prepared responses and records requests. A request without a response ends with the server.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSlipway, type SlipwayClient, type SlipwayOptions } from '@slipway/sdk';
import { onTestFinished } from 'vitest';

export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Monotonic clock, in milliseconds. */
  atMs: number;
}

type Answer = (response: ServerResponse, received: ReceivedRequest) => void;

export interface Peer {
  url: string;
  received: ReceivedRequest[];
}

/** Starts a server. The last response repeats for all further requests. */
export async function startPeer(...answers: Answer[]): Promise<Peer> {
  const received: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const atMs = performance.now();
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body: Buffer.concat(chunks).toString(), atMs };
    const answer = answers[Math.min(received.push(one), answers.length) - 1];
    answer?.(response, one);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }; // a TCP server has a port
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export function problem(status: number, code: string, headers: Record<string, string> = {}): Answer {
  const body = { type: `http://peer.test/problems/${code}`, title: 'A problem', status, code, requestId: 'req_1' };
  return json(status, body, { 'content-type': 'application/problem+json', 'request-id': 'req_1', ...headers });
}

export const reset: Answer = (response) => void response.socket?.destroy();

export const silence: Answer = () => {};

/** Sends a response later than the timer of one millisecond that Node runs for a longer one than it supports. */
export const late =
  (answer: Answer): Answer =>
  (...received) =>
    void setTimeout(answer, 50, ...received);

export const KEY = 'slw_test_thisIsTheSecretThatNobodyMaySee';

export const ME = { environment: 'sandbox', appId: 'app_1' };

export function client(baseUrl: string, options: Partial<SlipwayOptions> = {}): SlipwayClient {
  return createSlipway({ baseUrl, key: KEY, ...options });
}

/** Resolves with the reason of the rejection. */
export function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'no failure',
    (error: unknown) => error,
  );
}
