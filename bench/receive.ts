// A receiver that accepts everything, as a separate process: `receive.ts PORTS` listens on this many ports, and prints
// them.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const hosts: string[] = [];
for (let index = 0; index < Number(process.argv[2] ?? 1); index++) {
  const server = createServer((request, response) => {
    request.on('end', () => response.end('ok')).resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  hosts.push(`127.0.0.1:${(server.address() as AddressInfo).port}`); // a TCP address
}
console.log(JSON.stringify(hosts));
process.on('SIGTERM', () => process.exit(0));
