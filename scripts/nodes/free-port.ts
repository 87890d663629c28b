// Finds a free port for a process that starts a moment later. It lies below the ports that the system assigns
// automatically, which a starting Postgres could occupy meanwhile.
import { once } from 'node:events';
import { createServer } from 'node:net';

const FROM = 20_000;
const TO = 32_000;
let next = FROM + ((process.pid * 97) % (TO - FROM));

export async function freePort(): Promise<number> {
  for (;;) {
    // Concurrent callers must get different ports.
    const port = next >= TO ? FROM : next + 1;
    next = port;
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.close();
    if (isFree) return port;
  }
}
