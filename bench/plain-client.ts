// A minimal HTTP client: a connection that posts one JSON text after another. A measuring publisher must use little
// processor time. It reads responses with a Content-Length, which every server here sends.
import { connect } from 'node:net';

export interface Answer {
  status: number;
  body: string;
}

export interface Connection {
  /** Posts one text at a time. */
  post(path: string, token: string, json: string): Promise<Answer>;
  close(): void;
}

/** Returns the first complete response of the text; undefined while it is incomplete. */
function readAnswer(text: string): Answer | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  if (length === undefined) throw new Error('A response has no Content-Length.');
  const body = text.slice(end + 4);
  return body.length < Number(length) ? undefined : { status: Number(text.slice(9, 12)), body };
}

export async function openConnection(url: string): Promise<Connection> {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  socket.setEncoding('latin1'); // one character per byte
  let text = '';
  let resolve: (answer: Answer) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  socket.on('data', (chunk: string) => {
    text += chunk;
    try {
      const answer = readAnswer(text);
      if (!answer) return;
      text = '';
      resolve(answer);
    } catch (error) {
      reject(error);
    }
  });
  await new Promise<void>((opened, failed) => socket.once('connect', opened).once('error', failed));
  socket.on('error', (error) => reject(error));
  socket.on('close', () => reject(new Error('The connection was closed.')));
  return {
    post: (path, token, json) =>
      new Promise((resolveThis, rejectThis) => {
        [resolve, reject] = [resolveThis, rejectThis];
        socket.write(
          `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`,
        );
      }),
    close: () => socket.destroy(),
  };
}
