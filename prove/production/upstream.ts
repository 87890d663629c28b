// The upstream API of the proof, as a separate process: the reference upstream API behind a gate that can be closed,
// with configurable misbehaviour. It logs each mutation that reaches it with its time, its key and the kind of
// response.
import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer as createGate, type Socket } from 'node:net';
import {
  endlessEarlyHints,
  raw,
  respondWith,
  respondWithoutEnd,
  truncatedResponse,
} from '../../server/test/invalid-upstream-responses.fixture.ts';
import { type MutationDeviation, startReferenceUpstream } from '../../server/test/reference-upstream.ts';
import type { ReceivedMutation, UpstreamBehaviour } from './setup.ts';

const [log = ''] = process.argv.slice(2);
const upstream = await startReferenceUpstream();

/** Longer than a request may take. */
const TOO_LATE_MS = 11_000;
const LIE = `{"id":"tkt_1","lie":"the words of the platform"}`;
const TEXT = { 'content-type': 'text/plain' };

/** Each response with its weight and its delay in milliseconds. Responses that take ten seconds are rare. */
const WAYS: Record<string, [number, NonNullable<MutationDeviation['respond']> | undefined, number]> = {
  'a correct response': [20, undefined, 0],
  'a slow response': [4, undefined, 300],
  'a response after the timeout': [1, undefined, TOO_LATE_MS],
  'no response': [1, () => {}, 0],
  'no response, then the end': [3, raw(''), 0],
  'no response, then a reset': [3, raw('', 'destroy'), 0],
  'half a header, then the end': [3, raw('HTTP/1.1 201 C'), 0],
  'half a body': [1, truncatedResponse('201 Created', 'leave'), 0],
  'half a body, then the end': [3, truncatedResponse('201 Created', 'end'), 0],
  'half a body, then a reset': [3, truncatedResponse('201 Created', 'destroy'), 0],
  'a response without an end': [2, respondWithoutEnd(201), 0],
  'a failure without an end': [1, respondWithoutEnd(500), 0],
  'endless early hints': [1, endlessEarlyHints, 0],
  'an invalid body': [3, respondWith(201, LIE), 0],
  'another media type': [3, respondWith(201, LIE, TEXT), 0],
  'no content': [2, respondWith(204, ''), 0],
  'a failure': [4, respondWith(500, LIE), 0],
};
const CHOICES = Object.entries(WAYS).flatMap(([name, [weight]]) => Array<string>(weight).fill(name));

let behaviour: UpstreamBehaviour = 'honest';

upstream.deviate = (request: IncomingMessage, body: string): MutationDeviation | undefined => {
  const chosen = behaviour === 'wild' ? CHOICES[Math.floor(Math.random() * CHOICES.length)] : undefined;
  const [, respond, afterMs = 0] = WAYS[chosen ?? ''] ?? [0, undefined, behaviour === 'slow' ? 400 : 0];
  if (request.method === 'POST') {
    const reached: ReceivedMutation = {
      atMs: Date.now(),
      key: String(request.headers['idempotency-key']),
      subject: (JSON.parse(body) as { subject: string }).subject, // the body of a ticket
      way: chosen ?? behaviour,
    };
    appendFileSync(log, `${JSON.stringify(reached)}\n`);
  }
  return { isCarriedOut: Math.random() < 0.5, afterMs, respond };
};

// A gate: closing it breaks requests in flight and refuses new ones.
const sockets = new Set<Socket>();
const gate = createGate((inbound) => {
  const outbound = connect(Number(new URL(behind).port), '127.0.0.1');
  for (const [socket, other] of [
    [inbound, outbound],
    [outbound, inbound],
  ] as const) {
    sockets.add(socket);
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
    socket.pipe(other);
  }
});
const behind = upstream.url;
await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
const { port } = gate.address() as AddressInfo; // a TCP address
upstream.url = `http://127.0.0.1:${port}`; // the audience of tokens

// The proof controls it through a separate listener.
const control = createServer((request, response) => {
  behaviour = new URL(request.url ?? '', 'http://x').searchParams.get('behaviour') as UpstreamBehaviour; // only the proof uses it
  if (behaviour === 'away') {
    gate.close();
    for (const socket of sockets) socket.destroy();
  } else if (!gate.listening) gate.listen(port, '127.0.0.1');
  response.end(JSON.stringify({ tickets: upstream.mutations.tickets }));
});
await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve));
const controlUrl = `http://127.0.0.1:${(control.address() as AddressInfo).port}`; // a TCP address
console.log(JSON.stringify({ url: upstream.url, controlUrl, serverIds: upstream.serverIds }));
process.on('SIGTERM', () => process.exit(0));
