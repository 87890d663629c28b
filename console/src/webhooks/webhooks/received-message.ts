// Builds the message for the signature diagnosis from typed text.
import type { ReceivedMessage } from '../../kit/api.ts';

export interface DiagnosisRequest {
  /** Endpoint whose secret should have signed the message. */
  endpointId: string;
  body: ReceivedMessage;
}

/** Returns the UTF-8 bytes of a text in base64. */
export function toBase64(text: string): string {
  const binary = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return btoa(binary.join(''));
}

interface HeaderLines {
  headers: Record<string, string>;
  /** First line that is not a header. */
  unreadable: string | undefined;
}

/** Parses one header per line, in the format of other tools: `name: value`. */
export function readHeaderLines(text: string): HeaderLines {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const pairs = lines.map((line) => /^\s*([A-Za-z0-9_.-]+)\s*:(.*)$/.exec(line));
  const unreadable = lines[pairs.indexOf(null)];
  const named = pairs.flatMap((pair) => (pair ? [[pair[1] ?? '', (pair[2] ?? '').trim()] as const] : []));
  return { headers: Object.fromEntries(named), unreadable };
}
