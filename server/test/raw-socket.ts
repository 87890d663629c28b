// Sends raw bytes to a listener, for requests that no HTTP client would send.
import { connect } from 'node:net';

/** Resolves with the bytes of all responses as text, when the listener closes the connection. */
export function sendRaw(origin: string, request: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });
}
