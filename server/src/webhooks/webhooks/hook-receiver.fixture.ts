// A webhook receiver on loopback, and a check of the signatures.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface ReceivedRequest {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Starts a receiver. It accepts every request, unless `statusOf` returns another status. */
export async function startHookReceiver(statusOf: () => number | Promise<number> = () => 200) {
  const received: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    received.push({ headers: request.headers, body: Buffer.concat(chunks) });
    response.writeHead(await statusOf()).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
  return {
    host,
    url: `http://${host}/hooks`,
    received,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Verifies with the public library and this secret. */
export function verifiesWith(secret: string, { headers, body }: ReceivedRequest): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
