// Invalid responses of an upstream API, byte by byte where necessary.
import type { ServerResponse } from 'node:http';
import type { ReferenceUpstream } from './reference-upstream.ts';

export type ResponseOverride = NonNullable<ReferenceUpstream['respond']>;

/** Text of which no part may reach a client. */
export const CANARY = 'the words of the platform';

export const respondWith =
  (status: number, body: string | Buffer, headers: Record<string, string> = {}): ResponseOverride =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);

export const respondWithoutEnd =
  (status: number): ResponseOverride =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    const more = (): void => {
      while (!response.destroyed && response.write(`"${CANARY.repeat(100)}",`));
    };
    response.on('drain', more);
    more();
  };

/** Sends exactly these bytes, and then closes its side, resets the connection or does nothing. */
export const raw =
  (bytes: string, how: 'end' | 'destroy' | 'leave' = 'end'): ResponseOverride =>
  (request) => {
    request.socket.write(bytes, () => {
      if (how === 'end') request.socket.end();
      if (how === 'destroy') request.socket.destroy();
    });
  };

/** Begins a response whose body is longer than the bytes that follow. */
export const truncatedResponse = (status: string, how: 'end' | 'destroy' | 'leave'): ResponseOverride =>
  raw(`HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"id"`, how);

export const endlessEarlyHints: ResponseOverride = (_request, response: ServerResponse) => {
  const hint = (): void => void (response.destroyed || response.writeProcessing());
  response.on('close', () => clearInterval(timer));
  const timer = setInterval(hint, 20);
};
