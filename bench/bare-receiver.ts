// The minimum cost of publishing and delivering, as a separate process: `bare-receiver.ts HOST` answers each request
// with 201 and posts its body to the same path of the host. It stores, signs and checks nothing. Prints its address.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';

const receiver = new Pool(`http://${process.argv[2] ?? ''}`, { connections: 64 });
const headers = { 'content-type': 'application/json' };
const ANSWER = '{"status":"published"}';

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', async () => {
    response.writeHead(201, { ...headers, 'content-length': ANSWER.length }).end(ANSWER);
    const { body } = await receiver.request({
      method: 'POST',
      path: request.url ?? '/',
      headers,
      body: Buffer.concat(chunks),
    });
    await body.dump();
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`); // a TCP address
process.on('SIGTERM', () => process.exit(0));
