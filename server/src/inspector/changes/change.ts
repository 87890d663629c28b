// The reads of an app that can be followed, and the digests of their responses that a position keeps. Pure.
import { createHash } from 'node:crypto';
import { ID_BODY_PATTERN } from '../../kit/crypto/ids.ts';
import { strictObject, Type, text } from '../../kit/http/schema.ts';

const id = (...prefixes: string[]): string => `(?:${prefixes.join('|')})_${ID_BODY_PATTERN}`;
/**
 * Patterns of the addresses below the app's address. A response with the current time is not allowed, because it would
 * always differ.
 */
const WATCHED_PATHS = [
  `endpoints(?:/${id('whe')}(?:/drills)?)?`,
  `deliveries(?:/${id('dlv')})?`,
  `redeliveries(?:/${id('rdl')})?`,
  `drills/${id('drl')}`,
  `traces/${id('req', 'evt', 'dlv')}`,
  'requests',
  'events',
  'keys',
  'installations',
  'installation-changes',
  'faults',
  `world/objects(?:/${id('srv', 'pub', 'rmi', 'tkt', 'wfl', 'wfr')})?`,
];
const READ = `(?:${WATCHED_PATHS.join('|')})(?:\\?[A-Za-z0-9_.=&%-]{1,600})?`;
const MAX_READS = 10;

export const DEFAULT_READS = 'endpoints,deliveries';

const ENTRY_BYTES = 20;
const NAME_BYTES = 6;
const textLength = (bytes: number): number => Math.ceil((bytes * 4) / 3);

export const ChangePosition = text('Resume position: the `id` of the last received event.', {
  maxLength: textLength(MAX_READS * ENTRY_BYTES),
  pattern: '^[A-Za-z0-9_-]*$',
});

export const changeQuery = strictObject({
  reads: Type.Optional(
    text(
      `The reads to follow, at most ${MAX_READS}, separated by commas. Each is the address of a GET of this API relative to the address of the app, with its query.`,
      { maxLength: 4_000, pattern: `^${READ}(?:,${READ}){0,${MAX_READS - 1}}$`, examples: [DEFAULT_READS] },
    ),
  ),
  after: Type.Optional(ChangePosition),
});

export const parseReads = (text: string): string[] => [...new Set(text.split(','))];

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
const nameOf = (read: string): string => hash(read).toString('hex', 0, NAME_BYTES);

/** The content of a position: for each read a hash of its name and a hash of its response. */
export type ReadDigests = ReadonlyMap<string, string>;

export const toDigestEntry = (read: string, { status, body }: { status: number | undefined; body: string }) =>
  // A refusal contains the identifier of its request, so only the fact that it was refused is compared.
  [nameOf(read), hash(status === 200 ? body : '').toString('hex', 0, ENTRY_BYTES - NAME_BYTES)] as const;

export function formatChangePosition(answers: ReadDigests): string {
  return Buffer.from([...answers].map((entry) => entry.join('')).join(''), 'hex').toString('base64url');
}

/** Reads a position, which any caller can forge. A read without a valid entry counts as changed. */
export function parseChangePosition(position: string | undefined): ReadDigests {
  const hex = Buffer.from(position ?? '', 'base64url').toString('hex');
  const entries = hex.match(new RegExp(`.{${2 * ENTRY_BYTES}}`, 'g')) ?? [];
  return new Map(entries.map((entry) => [entry.slice(0, 2 * NAME_BYTES), entry.slice(2 * NAME_BYTES)]));
}

/** Returns the reads whose responses differ from the earlier ones. */
export function findChangedReads(reads: readonly string[], before: ReadDigests, now: ReadDigests): string[] {
  return reads.filter((read) => before.get(nameOf(read)) !== now.get(nameOf(read)));
}
