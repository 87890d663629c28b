// Evidence of how an app behaves in the sandbox, for the reviewers of live access. Slipway derives it from records, and
// from no statement of the app's members. Pure.

import { AppId, SCOPES, type Scope, ScopeSchema } from '../../access/authority/index.ts';
import { readStoredFix } from '../../access/problems/index.ts';
import { RequestId } from '../../inspector/requests/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import {
  dateTime,
  describedObject,
  integer,
  namedObject,
  nullable,
  oneOf,
  type Static,
  Type,
  text,
} from '../../kit/http/schema.ts';

/** The days of records that are considered at most. Older behaviour says little about the app. */
export const MAX_DAYS = 30;

const ITEM_NAMES = [
  'error_handling',
  'idempotent_retries',
  'receiver_drill',
  'no_browser_use',
  'current_versions',
] as const;
type ItemName = (typeof ITEM_NAMES)[number];

const outcome = oneOf(
  ['ok', 'missing'],
  'Result of the check: `ok` if the records show the behaviour, otherwise `missing`.',
);
const fix = nullable(text('Advice to the app. Null if nothing has to be done.', { maxLength: 500 }));

const EvidenceOfScope = describedObject('Shows if the app has made a successful call with a scope.', {
  scope: ScopeSchema,
  outcome,
  lastRequestId: nullable({ ...RequestId, description: 'Newest successful call that needed the scope.' }),
  lastRequestAt: nullable(dateTime('Time of the response to that call.')),
  fix,
});

const Figure = describedObject('A count on which a finding is based.', {
  name: text('Name of the count.', { maxLength: 60, pattern: '^[a-zA-Z]+$' }),
  count: integer('Value of the count.', 0, 1_000_000),
});

const EvidenceItem = describedObject('Result of one check of the app’s behaviour in the sandbox.', {
  name: oneOf(ITEM_NAMES, 'Name of the check.'),
  outcome,
  finding: text('Finding of the check.', { maxLength: 500 }),
  figures: Type.Array(Figure, { maxItems: 10, description: 'Counts on which the finding is based.' }),
  fix,
});
type EvidenceItem = Static<typeof EvidenceItem>;

export const Evidence = namedObject(
  'Evidence',
  'Evidence of the app’s behaviour in the sandbox, derived from its records.',
  {
    appId: AppId,
    gatheredAt: dateTime('Time at which the evidence was gathered.'),
    since: dateTime(
      `Start of the requests that the checks read: ${MAX_DAYS} days before \`gatheredAt\`, or the time from which requests are stored if that is later.`,
    ),
    scopes: Type.Array(EvidenceOfScope, {
      maxItems: SCOPES.length,
      description: 'One entry per scope, in a fixed order.',
    }),
    items: Type.Array(EvidenceItem, {
      maxItems: 10,
      description: 'One entry per check of the whole app, in a fixed order.',
    }),
  },
);
export type Evidence = Static<typeof Evidence>;

/** A request that is evidence. */
export interface SampleRequest {
  request_id: string;
  at: Date;
}

/** The number of errors of one kind, and how many of them were followed by a success of the same operation. */
export interface ErrorCounts {
  met: number;
  recovered: number;
}

export interface EvidenceFacts {
  /** The newest successful call of each scope. */
  scopes: Readonly<Record<Scope, SampleRequest | undefined>>;
  errors: Readonly<Record<ErrorKind, ErrorCounts>>;
  replays: number;
  drills: { endpoints: number; passed: number };
  /** The number that was found; undefined if there were too many refusals to look at all. */
  browserUses: number | undefined;
  deprecated: readonly string[];
}

export interface EvidencePeriod {
  gatheredAtMs: number;
  /** The time from which the requests are stored that the checks read. */
  sinceMs: number;
}

/** Kinds of errors that every client meets eventually. */
export const ERROR_KINDS = {
  refused: { statuses: [400, 428], words: 'a refusal (4xx)' },
  rateLimited: { statuses: [429, 429], words: 'a 429' },
  failed: { statuses: [500, 599], words: 'a failure (503)' },
} as const satisfies Record<string, { statuses: readonly [number, number]; words: string }>;
export type ErrorKind = keyof typeof ERROR_KINDS;

const item = (
  name: ItemName,
  isShown: boolean,
  finding: string,
  figures: Record<string, number>,
  advice: string,
): EvidenceItem => ({
  name,
  outcome: isShown ? 'ok' : 'missing',
  finding,
  figures: Object.entries(figures).map(([figure, count]) => ({ name: figure, count })),
  fix: isShown ? null : advice,
});

function errorHandling({ errors }: EvidenceFacts): EvidenceItem {
  const kinds = Object.keys(ERROR_KINDS) as ErrorKind[]; // the keys of this object alone
  const unshown = kinds.filter((kind) => errors[kind].recovered === 0).map((kind) => ERROR_KINDS[kind].words);
  const figures = Object.fromEntries(
    kinds.flatMap((kind) => [
      [`${kind}Met`, errors[kind].met],
      [`${kind}Recovered`, errors[kind].recovered],
    ]),
  );
  const finding =
    unshown.length === 0
      ? 'After a refusal, a 429 and a 503 the app called the same operation again, and the call succeeded within an hour.'
      : `The same operation did not succeed within an hour after ${unshown.join(', ')}.`;
  const advice =
    'Let your integration receive each of these errors, and repeat the call as it would in production. Cause 429 and 503 with the header Sandbox-Simulate or with a fault rule.';
  return item('error_handling', unshown.length === 0, finding, figures, advice);
}

function idempotentRetries({ replays }: EvidenceFacts): EvidenceItem {
  const finding =
    replays > 0
      ? `The app repeated a request with its Idempotency-Key and received the stored response at least ${replays} times.`
      : 'The app did not repeat a request with its Idempotency-Key.';
  const advice =
    'Repeat a mutation with the same Idempotency-Key, as after a timeout. The response has the header Idempotent-Replayed.';
  return item('idempotent_retries', replays > 0, finding, { replays }, advice);
}

function receiverDrill({ drills: { endpoints, passed } }: EvidenceFacts): EvidenceItem {
  const finding =
    endpoints === 0
      ? 'The app has no enabled webhook endpoint, so there is no receiver to drill.'
      : `${passed} of ${endpoints} enabled endpoints passed their latest drill.`;
  const advice = 'Run the receiver drill of each endpoint, and fix the problems in its report until no step fails.';
  return item('receiver_drill', passed === endpoints, finding, { endpoints, passed }, advice);
}

function noBrowserUse({ browserUses }: EvidenceFacts): EvidenceItem {
  const finding =
    browserUses === undefined
      ? 'The app has more refused requests than the check reads, so the check cannot exclude the use of a key in a browser.'
      : browserUses === 0
        ? 'No browser used a key of the app.'
        : `A browser used a key of the app at least ${browserUses} times.`;
  const advice = `Keep keys on your server, and revoke keys that were published in a page. A use counts while its request is stored, for at most ${MAX_DAYS} days.`;
  return item('no_browser_use', browserUses === 0, finding, { browserUses: browserUses ?? 0 }, advice);
}

function currentVersions({ deprecated }: EvidenceFacts): EvidenceItem {
  const finding =
    deprecated.length === 0
      ? 'The app uses no deprecated feature.'
      : `The app still uses deprecated features: ${deprecated.join(', ')}.`.slice(0, 500);
  const advice = 'Replace each deprecated feature as its deprecation page describes. A use counts for 30 days.';
  return item('current_versions', deprecated.length === 0, finding, { deprecated: deprecated.length }, advice);
}

export function toEvidence(appId: string, { gatheredAtMs, sinceMs }: EvidencePeriod, found: EvidenceFacts): Evidence {
  return {
    appId: toId('app', appId),
    gatheredAt: new Date(gatheredAtMs).toISOString(),
    since: new Date(sinceMs).toISOString(),
    scopes: SCOPES.map((scope) => {
      const sample = found.scopes[scope];
      return {
        scope,
        outcome: sample ? 'ok' : 'missing',
        lastRequestId: sample ? toId('req', sample.request_id) : null,
        lastRequestAt: sample?.at.toISOString() ?? null,
        fix: sample ? null : `Make a successful call of an operation that needs ${scope}, without a simulated fault.`,
      };
    }),
    items: [errorHandling, idempotentRetries, receiverDrill, noBrowserUse, currentVersions].map((judge) =>
      judge(found),
    ),
  };
}

/** Returns the evidence of a stored document. The text of the document stays as it was frozen. */
export const readStoredEvidence = (stored: Evidence): Evidence => ({
  ...stored,
  scopes: stored.scopes.map((scope) => readStoredFix(scope)),
  items: stored.items.map((item) => readStoredFix(item)),
});

export const evidenceStartMs = (nowMs: number): number => nowMs - MAX_DAYS * 86_400_000;

const exampleMs = Date.UTC(2026, 10, 2, 10, 15, 30);

export const exampleEvidence: Evidence = toEvidence(
  '019a0000-0000-7000-8000-000000000001',
  { gatheredAtMs: exampleMs, sinceMs: evidenceStartMs(exampleMs) },
  {
    scopes: {
      ...(Object.fromEntries(SCOPES.map((scope) => [scope, undefined])) as Record<Scope, undefined>), // all scopes
      'servers:read': { request_id: '019a0000-0000-7000-8000-000000000002', at: new Date('2026-11-02T10:00:00.000Z') },
    },
    errors: {
      refused: { met: 12, recovered: 4 },
      rateLimited: { met: 3, recovered: 3 },
      failed: { met: 1, recovered: 1 },
    },
    replays: 2,
    drills: { endpoints: 1, passed: 1 },
    browserUses: 0,
    deprecated: [],
  },
);
