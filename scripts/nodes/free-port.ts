// A port for somebody who starts a moment later: below those that the system hands out by itself, which a starting Postgres may take in
// the moment between.
import { once } from 'node:events';
import { createServer } from 'node:net';

const FROM = 20_000;
const TO = 32_000;
let next = FROM + ((process.pid * 97) % (TO - FROM));

export async function freePort(): Promise<number> {
  for (;;) {
    // Several may ask at once.
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
