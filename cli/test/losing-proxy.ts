// A proxy that loses responses: the server performs the request, but the client receives no response.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface LosingProxy {
  url: string;
  /** Closes the connection in place of the next response. Resolves when that has happened. */
  loseNext(): Promise<void>;
  close(): void;
}

export async function openLosingProxy(url: string): Promise<LosingProxy> {
  let onLost: (() => void) | undefined;
  const sockets = new Set<Socket>();
  const proxy = createServer((near) => {
    const far = connect(Number(new URL(url).port), '127.0.0.1');
    near.pipe(far);
    far.on('data', (chunk) => {
      if (!onLost) return near.write(chunk);
      onLost();
      onLost = undefined;
      return near.destroy();
    });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        near.destroy();
        far.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, // a TCP server has a port
    loseNext: () =>
      new Promise((resolve) => {
        onLost = resolve;
      }),
    close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}
