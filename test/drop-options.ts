// A proxy that drops the start-up options of each connection, as PgBouncer does with
// `ignore_startup_parameters = options`.
import { type AddressInfo, connect, createServer, type Server } from 'node:net';

const HEADER_BYTES = 8;

/** Returns the first message of the protocol (PostgreSQL, "StartupMessage") without its options. */
function dropOptions(message: Buffer): Buffer {
  const fields = message.subarray(HEADER_BYTES).toString('latin1').split('\0');
  const kept = fields.flatMap((name, at) =>
    at % 2 === 0 && name !== '' && name !== 'options' ? [name, fields[at + 1] ?? ''] : [],
  );
  const body = Buffer.from(`${kept.join('\0')}\0\0`, 'latin1');
  const header = Buffer.from(message.subarray(0, HEADER_BYTES));
  header.writeInt32BE(HEADER_BYTES + body.length);
  return Buffer.concat([header, body]);
}

export async function startOptionDropper(target: number): Promise<{ port: number; close(): void }> {
  const server: Server = createServer((inbound) => {
    const outbound = connect(target, '127.0.0.1');
    inbound.once('data', (message) => {
      outbound.write(dropOptions(message as Buffer)); // no encoding is set, so it is a Buffer
      inbound.pipe(outbound);
    });
    outbound.pipe(inbound);
    inbound.on('error', () => outbound.destroy());
    outbound.on('error', () => inbound.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }; // a TCP address
}
