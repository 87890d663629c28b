// A deliberately wrong management API: it answers a restriction before it applies it. The check of restrictions must
// detect it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export const EARLY_RESPONSE = 'answers a restriction before it applies it';
const LATE_MS = 40;

/** Starts a proxy of the management API at this address. Returns its own address. */
export async function startEarlyResponder(url: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const body = await text(request);
    const passOn = () =>
      fetch(url + path, {
        method,
        headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
        ...(body !== '' && { body }),
      });
    if (method !== 'GET' && path.includes('/installation')) {
      setTimeout(() => void passOn(), LATE_MS);
      response.end('{}');
      return;
    }
    const answer = await passOn();
    response.writeHead(answer.status).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP address
}
