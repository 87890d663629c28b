// Recognises changes to a body between the wire and a failed verification, by undoing each of them.
import { canonicalJson } from '../../kit/text/json.ts';
import type { Mistake } from './diagnosis.ts';

interface Reversal {
  mistake: Mistake;
  /** Returns the original body; undefined, or the same body, if this was not the mistake. */
  undo(text: string, bytes: Buffer): Buffer | string | undefined;
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** Decodes `str()` of Python's bytes: b'...', with escapes. */
function decodePythonBytes(text: string): Buffer | undefined {
  const [, , inner] = /^b(['"])(.*)\1$/s.exec(text) ?? [];
  const plain = inner?.replaceAll(/\\(x[0-9a-f]{2}|[\\'"nrt])/g, (_, code: string) =>
    code[0] === 'x' ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (ESCAPED[code] ?? ''),
  );
  return plain === undefined ? undefined : Buffer.from(plain, 'latin1');
}
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\', "'": "'", '"': '"', n: '\n', r: '\r', t: '\t' };

const isBase64 = (text: string): boolean => text !== '' && /^[A-Za-z0-9+/]+={0,2}$/.test(text);

const REVERSALS: readonly Reversal[] = [
  // Comes before trimming, because trimming treats a byte order mark as whitespace.
  { mistake: 'body_encoded', undo: (text) => text.replace(/^\ufeff/, '') },
  { mistake: 'body_whitespace', undo: (text) => text.trim() },
  { mistake: 'body_whitespace', undo: (text) => `${text}\n` },
  { mistake: 'body_encoded', undo: (text) => (isBase64(text) ? Buffer.from(text, 'base64') : undefined) },
  // JSON inside a string of JSON.
  {
    mistake: 'body_encoded',
    undo(text) {
      const inner = parse(text);
      return typeof inner === 'string' ? inner : undefined;
    },
  },
  { mistake: 'body_encoded', undo: (text) => decodePercent(text) },
  { mistake: 'body_encoded', undo: (text) => decodePythonBytes(text) },
  // UTF-8 that was read as Latin-1 and written as UTF-8 again, or text that was written as Latin-1 or UTF-16.
  { mistake: 'body_encoded', undo: (text) => Buffer.from(text, 'latin1') },
  { mistake: 'body_encoded', undo: (_text, bytes) => bytes.toString('latin1') },
  { mistake: 'body_encoded', undo: (_text, bytes) => bytes.toString('utf16le') },
  {
    mistake: 'body_reserialised',
    undo(text) {
      const value = parse(text);
      return value === undefined ? undefined : JSON.stringify(value);
    },
  },
];

/** Returns the possible originals that can be derived from the body itself. */
export function reverseMistakes(given: Buffer): { mistake: Mistake; body: Buffer }[] {
  const text = given.toString();
  return REVERSALS.flatMap(({ mistake, undo }) => {
    const body = undo(text, given);
    return body === undefined ? [] : [{ mistake, body: Buffer.from(body) }]; // a string becomes UTF-8
  }).filter(({ body }) => !body.equals(given));
}

/** Returns the mistake that changed the sent bytes into these, if undoing it restores every byte. */
function reversibleMistake(given: Buffer, sent: Buffer): Mistake | undefined {
  if (given.length === 0) return 'body_empty';
  return reverseMistakes(given).find(({ mistake, body }) => mistake !== 'body_reserialised' && body.equals(sent))
    ?.mistake;
}

/**
 * Names the mistake in a body whose signature is valid for the sent bytes. The valid signature proves that the caller
 * received them.
 */
export function bodyMistake(given: Buffer, sent: Buffer): Mistake {
  const reversible = reversibleMistake(given, sent);
  if (reversible) return reversible;
  if (isSameJson(given.toString(), sent.toString())) return 'body_reserialised';
  return sent.subarray(0, given.length).equals(given) ? 'body_truncated' : 'body_differs';
}

/**
 * Names the mistake in a body whose signature proves nothing. The result depends only on equality with the whole sent
 * body. `body_truncated` and `body_reserialised` would answer whether a guess is partly right, so a member could read a
 * body byte by byte.
 */
export function unsignedBodyMistake(given: Buffer, sent: Buffer): Mistake {
  return reversibleMistake(given, sent) ?? 'body_differs';
}

function isSameJson(a: string, b: string): boolean {
  try {
    return canonicalJson(JSON.parse(a)) === canonicalJson(JSON.parse(b));
  } catch {
    return false; // not JSON, or nested too deeply
  }
}
