// Requests as bytes on a socket, because a well-behaved client refuses to send some of them. Text on the wire has one
// character per byte (latin1).
import { connect } from 'node:net';

export interface WireRequest {
  method: string;
  /** Path and query in the form of the first line. */
  target: string;
  headers: readonly (readonly [string, string])[];
  body: string | undefined;
}

export interface WireResponse {
  status: number;
  /** By lower-case name; a repeated header has two values. */
  headers: Map<string, string[]>;
  body: string;
}

export const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
export const textOf = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

const FRAMING = /^(content-length|transfer-encoding)$/i;

function encode({ method, target, headers, body }: WireRequest): Buffer {
  const isFramed = headers.some(([name]) => FRAMING.test(name));
  const all = body === undefined || isFramed ? headers : [...headers, ['Content-Length', String(body.length)] as const];
  const head = all.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${head}\r\n${body ?? ''}`, 'latin1');
}

const NO_ANSWER_MS = 20_000;

/** Sends one request on its own connection. Rejects if no complete response arrives. */
export function send(baseUrl: string, request: WireRequest): Promise<WireResponse> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(encode(request)));
    const look = (isEnd: boolean): void => {
      const response = parse(received, request.method, isEnd);
      if (!response) return;
      resolve(response);
      socket.destroy();
    };
    socket.setTimeout(NO_ANSWER_MS, () => socket.destroy(new Error(`No answer within ${NO_ANSWER_MS} ms.`)));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      look(false);
    });
    socket.on('end', () => look(true));
    socket.on('error', reject);
    socket.on('close', () =>
      reject(new Error(`The connection ended before a whole answer: ${received.slice(0, 200)}`)),
    );
  });
}

/** Returns undefined while the response is incomplete. */
function parse(received: string, method: string, isEnd: boolean): WireResponse | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [first = '', ...lines] = received.slice(0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]);
  const rest = received.slice(end + 4);
  if (status < 200) return parse(rest, method, isEnd);
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]*):\s*(.*)$/.exec(line) ?? [];
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), value]);
  }
  if (headers.get('transfer-encoding')?.[0] === 'chunked' && method !== 'HEAD') {
    const isEndless = headers.get('content-type')?.[0]?.startsWith('text/event-stream') ?? false;
    const body = joinChunks(rest, isEndless);
    return body === undefined ? undefined : { status, headers, body: textOf(body) };
  }
  const hasNone = method === 'HEAD' || status === 204 || status === 304;
  const length = hasNone ? 0 : Number(headers.get('content-length')?.[0] ?? Number.NaN);
  if (Number.isNaN(length) ? !isEnd : rest.length < length) return undefined;
  return { status, headers, body: textOf(Number.isNaN(length) ? rest : rest.slice(0, length)) };
}

/** Returns undefined while the last chunk is missing, or the first chunk of an endless response. */
function joinChunks(chunked: string, isEndless: boolean): string | undefined {
  let body = '';
  for (let at = 0; ; ) {
    if (isEndless && body !== '') return body;
    const end = chunked.indexOf('\r\n', at);
    const length = Number.parseInt(chunked.slice(at, end), 16);
    if (end === -1 || chunked.length < end + 2 + length + 2) return undefined;
    if (length === 0) return body;
    body += chunked.slice(end + 2, end + 2 + length);
    at = end + 2 + length + 2;
  }
}

/** Returns the bytes as a bash argument. A NUL can be printed, but it cannot be an argument. */
function quote(bytes: string): string {
  if (/^[\x20-\x7e]*$/.test(bytes) && !bytes.includes("'")) return `'${bytes}'`;
  const escaped = bytes.replaceAll(/[^\x20-\x7e]|['\\]/g, (byte) => {
    return `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return `$'${escaped}'`;
}

/** Returns the request as a command for bash. */
export function toCurl(baseUrl: string, { method, target, headers, body }: WireRequest): string {
  const parts = ['curl -isS --path-as-is --globoff -X', quote(method)];
  const named = new Set(headers.map(([name]) => name.toLowerCase()));
  for (const name of ['Accept', 'User-Agent', 'Host', 'Content-Type']) {
    if (!named.has(name.toLowerCase()) && (name !== 'Content-Type' || body !== undefined)) parts.push(`-H '${name}:'`);
  }
  for (const [name, value] of headers) parts.push('-H', quote(value === '' ? `${name};` : `${name}: ${value}`));
  if (body === undefined) return [...parts, quote(baseUrl + target)].join(' ');
  const printed = body.replaceAll(/[^\x20-\x7e]|[\\%']/g, (byte) => {
    return `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return [`printf '${printed}' |`, ...parts, '--data-binary @-', quote(baseUrl + target)].join(' ');
}
