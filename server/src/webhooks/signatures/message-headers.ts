// Reads the three headers of a signed message from the headers that a receiver passed on, and reports their mistakes.
import type { Mistake, SignatureFinding } from './diagnosis.ts';

interface HeaderInput {
  headers: Readonly<Record<string, string>>;
  receivedAtMs: number | undefined;
}

interface MessageHeaders {
  id: string | undefined;
  /** In whole seconds. */
  timestamp: number | undefined;
  /** The bytes of each signature of version 1. */
  signatures: Buffer[] | undefined;
}

const TOLERANCE_SECONDS = 300;
const MAX_SIGNATURES = 20;

const normaliseName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
    .replace(/^svix/, 'webhook');

function findHeader(headers: HeaderInput['headers'], name: string, findings: SignatureFinding[]): string | undefined {
  const entries = Object.entries(headers).filter(([, value]) => value.trim() !== '');
  const exact = entries.find(([given]) => given.toLowerCase() === name);
  if (exact) return exact[1].trim();
  const alike = entries.find(([given]) => normaliseName(given).endsWith(normaliseName(name)));
  if (alike) findings.push({ mistake: 'wrong_header', detail: `The header ${name} is missing; there is ${alike[0]}.` });
  else findings.push({ mistake: 'missing_header', detail: `The header ${name} is missing.` });
  return alike?.[1].trim();
}

function readTimestamp(text: string, findings: SignatureFinding[]): number | undefined {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const isMilliseconds = /^\d{13}$/.test(text);
  const ms = isMilliseconds ? Number(text) : /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  const what = isMilliseconds
    ? 'webhook-timestamp is in milliseconds instead of seconds.'
    : 'webhook-timestamp is not in whole seconds.';
  findings.push({ mistake: 'malformed_timestamp', detail: what });
  return Number.isFinite(ms) ? Math.floor(ms / 1000) : undefined;
}

interface ParsedSignature {
  bytes: Buffer;
  /** Mistakes in the notation. */
  mistakes: Mistake[];
}

/** Parses a signature in any notation; returns undefined if the text is no signature. */
export function readSignature(text: string): ParsedSignature | undefined {
  const [, version, rest = ''] = /^(v1,)?(.*)$/s.exec(text) ?? [];
  const unversioned: Mistake[] = version === undefined ? ['version_prefix_missing'] : [];
  if (/^[0-9a-f]{64}$/i.test(rest))
    return { bytes: Buffer.from(rest, 'hex'), mistakes: ['signature_in_hex', ...unversioned] };
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(rest)) return { bytes: Buffer.from(rest, 'base64'), mistakes: unversioned };
  return undefined;
}

function readSignatures(text: string, findings: SignatureFinding[]): Buffer[] {
  const read = text.split(/\s+/, MAX_SIGNATURES).flatMap((one) => readSignature(one) ?? []);
  if (read.length === 0) {
    findings.push({ mistake: 'malformed_signature', detail: 'webhook-signature contains no signature of version 1.' });
  }
  const odd = [...new Set(read.flatMap(({ mistakes }) => mistakes))];
  for (const mistake of odd)
    findings.push({ mistake, detail: 'The mistake is in the webhook-signature that you passed on.' });
  return read.map(({ bytes }) => bytes);
}

export function readMessageHeaders({ headers, receivedAtMs }: HeaderInput): {
  headers: MessageHeaders;
  findings: SignatureFinding[];
} {
  const findings: SignatureFinding[] = [];
  const id = findHeader(headers, 'webhook-id', findings);
  const time = findHeader(headers, 'webhook-timestamp', findings);
  const signature = findHeader(headers, 'webhook-signature', findings);
  const timestamp = time === undefined ? undefined : readTimestamp(time, findings);
  if (timestamp !== undefined && receivedAtMs !== undefined) {
    const ahead = timestamp - Math.floor(receivedAtMs / 1000);
    const how = ahead > 0 ? 'ahead of' : 'behind';
    const detail = `webhook-timestamp is ${Math.abs(ahead)} seconds ${how} your clock; at most ${TOLERANCE_SECONDS} are allowed.`;
    if (Math.abs(ahead) > TOLERANCE_SECONDS) findings.push({ mistake: 'clock_outside_tolerance', detail });
  }
  const signatures = signature === undefined ? undefined : readSignatures(signature, findings);
  return { headers: { id, timestamp, signatures }, findings };
}
