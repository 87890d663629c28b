// The receiver of published events, as a separate process. It answers 204 and records the first arrival of each event.
// Posts below /hang, or to the second host, get no response. Prints JSON: its hosts, and the URL that returns the
// arrivals.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sharedMs } from '../prove/webhooks/print-errors.ts';

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP address
}

/** By the number of the event. */
let arrivedAtMs = new Map<number, number>();

const hang: RequestListener = (request) => void request.resume();

const host = await listen((request, response) => {
  const atMs = sharedMs();
  if (request.url?.startsWith('/hang')) return hang(request, response);
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    response.writeHead(204).end();
    const number = Number(/"No\. (\d+)"/.exec(Buffer.concat(chunks).toString())?.[1]);
    if (!arrivedAtMs.has(number)) arrivedAtMs.set(number, atMs);
  });
  return undefined;
});
const hanging = await listen(hang);
const control = await listen((request, response) => {
  if (request.url === '/count') return response.end(String(arrivedAtMs.size));
  response.end(JSON.stringify([...arrivedAtMs]));
  arrivedAtMs = new Map();
  return undefined;
});
console.log(JSON.stringify({ host, hanging, control: `http://${control}` }));
process.on('SIGTERM', () => process.exit(0));
