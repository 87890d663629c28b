// Ends connections that would delay a shutdown forever. Node's `close` waits for active connections, and counts
// connections as active that browsers opened in advance without sending anything. During `close`, Node also no longer
// limits the time in which a request must arrive.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Watches a server's connections. Call `end` when a shutdown begins; `longestMs` is the time limit of a request. */
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
