// A message as a receiver has it, from what is typed into the signature doctor.
import type { ReceivedMessage } from '../../kit/api.ts';

export interface Complaint {
  /** The endpoint whose secret should have signed it. */
  endpointId: string;
  body: ReceivedMessage;
}

/** The bytes of a text in UTF-8, in base64. */
export function toBase64(text: string): string {
  const binary = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return btoa(binary.join(''));
}

export interface HeaderLines {
  headers: Record<string, string>;
  /** The first line that is no header. */
  unreadable: string | undefined;
}

/** One header a line, as tools print them: `name: value`. */
export function readHeaderLines(text: string): HeaderLines {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const pairs = lines.map((line) => /^\s*([A-Za-z0-9_.-]+)\s*:(.*)$/.exec(line));
  const unreadable = lines[pairs.indexOf(null)];
  const named = pairs.flatMap((pair) => (pair ? [[pair[1] ?? '', (pair[2] ?? '').trim()] as const] : []));
  return { headers: Object.fromEntries(named), unreadable };
}
