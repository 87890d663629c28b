// Ends what would keep a stop waiting for ever. Node's `close` waits for each connection that is at work, and takes for that one on which
// nothing came yet, as browsers open them in advance; and it no longer looks whether a request has taken too long to arrive.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** `end` is called when a stop begins; `longestMs` is how long a request may take in all. */
export function watchConnections(server: FastifyInstance['server'], longestMs: number): { end(): void } {
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return {
    end() {
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
      const timer = setTimeout(() => server.closeAllConnections(), longestMs).unref();
      server.once('close', () => clearTimeout(timer));
    },
  };
}
