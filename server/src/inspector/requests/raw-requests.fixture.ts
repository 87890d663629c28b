// Sends requests as raw bytes on a socket, so that no client normalises them, and reads the records that they left.
import { connect, type Socket } from 'node:net';
import type { Sandbox } from '../../../test/app.ts';
import { fromId } from '../../kit/crypto/ids.ts';

interface Head {
  status: number;
  requestId: string | undefined;
}

/** Resolves with the head of the response. */
export function sendBytes(sandbox: Sandbox, token: string, requestLine: Buffer, userAgent: Buffer): Promise<Head> {
  const { hostname, port } = new URL(sandbox.apiUrl);
  const socket = connect(Number(port), hostname);
  socket.write(
    Buffer.concat([
      requestLine,
      Buffer.from(`\r\nhost: sandbox\r\nconnection: close\r\nauthorization: Bearer ${token}\r\nuser-agent: `),
      userAgent,
      Buffer.from('\r\n\r\n'),
    ]),
  );
  return answerOn(socket);
}

export async function answerOn(socket: Socket): Promise<Head> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
  const head = Buffer.concat(chunks).toString('latin1');
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), requestId: /request-id: (\S+)/i.exec(head)?.[1] };
}

export async function recordOf(
  { database }: Sandbox,
  requestId: string | null | undefined,
): Promise<Record<string, unknown> | undefined> {
  const { rows } = await database.superuser.query('select * from request_records where request_id = $1', [
    fromId('req', requestId ?? ''),
  ]);
  return rows[0];
}
