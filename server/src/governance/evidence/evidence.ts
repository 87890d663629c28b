// Evidence of how an app behaves in the sandbox, for the reviewers of live access. Slipway derives it from records, and
// from no statement of the app's members. Pure.

import { AppId, SCOPES, type Scope, ScopeSchema } from '../../access/authority/index.ts';
import { RequestId } from '../../inspector/requests/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { closed, moment, named, nullable, oneOf, type Static, Type, text } from '../../kit/http/schema.ts';

/** The days of records that are considered. Older behaviour says little about the app. */
export const SINCE_DAYS = 30;

const ITEM_NAMES = [
  'error_handling',
  'idempotent_retries',
  'receiver_drill',
  'no_browser_use',
  'current_versions',
] as const;
type ItemName = (typeof ITEM_NAMES)[number];

const outcome = oneOf(['ok', 'missing'], 'Whether it was shown.');
const mend = nullable(text('What to do about it; null when there is nothing to do.', { maxLength: 500 }));

const EvidenceOfScope = closed(
  {
    scope: ScopeSchema,
    outcome,
    lastRequestId: nullable({ ...RequestId, description: 'The newest successful call that needed the scope.' }),
    lastRequestAt: nullable(moment('When it was answered.')),
    mend,
  },
  { description: 'Whether the app has used a scope with success.' },
);

const Figure = closed(
  {
    name: text('What was counted.', { maxLength: 60, pattern: '^[a-zA-Z]+$' }),
    count: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'How many.' }),
  },
  { description: 'A count that the finding stands on.' },
);

const EvidenceItem = closed(
  {
    name: oneOf(ITEM_NAMES, 'What was looked for.'),
    outcome,
    finding: text('What was found.', { maxLength: 500 }),
    figures: Type.Array(Figure, { maxItems: 10, description: 'The counts behind it.' }),
    mend,
  },
  { description: 'Something that an app should have shown.' },
);
export type EvidenceItem = Static<typeof EvidenceItem>;

export const Evidence = named(
  'Evidence',
  closed(
    {
      appId: AppId,
      gatheredAt: moment('When it was gathered.'),
      since: moment(`From when on was looked: ${SINCE_DAYS} days before.`),
      scopes: Type.Array(EvidenceOfScope, { maxItems: 6, description: 'Each scope, in one order.' }),
      items: Type.Array(EvidenceItem, {
        maxItems: 10,
        description: 'What holds for the app as a whole, in one order.',
      }),
    },
    { description: 'What an app has shown in the sandbox.' },
  ),
);
export type Evidence = Static<typeof Evidence>;

/** A request that is evidence. */
export interface Sample {
  request_id: string;
  at: Date;
}

/** The number of errors of one kind, and how many of them were followed by a success of the same operation. */
export interface Met {
  met: number;
  recovered: number;
}

export interface Found {
  /** The newest successful call of each scope. */
  scopes: Readonly<Record<Scope, Sample | undefined>>;
  errors: Readonly<Record<ErrorKind, Met>>;
  replays: number;
  drills: { endpoints: number; passed: number };
  /** The number that was found; undefined if there were too many refusals to look at all. */
  browserUses: number | undefined;
  deprecated: readonly string[];
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
  mend: isShown ? null : advice,
});

function errorHandling({ errors }: Found): EvidenceItem {
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
      ? 'After a refusal, a 429 and a 503 the same operation was called again, and succeeded within the hour.'
      : `There is no success of the same operation within the hour after ${unshown.join(', ')}.`;
  const advice =
    'Let your integration meet each of them, and call again as it would in earnest: the header Sandbox-Simulate or a fault brings about 429 and 503.';
  return item('error_handling', unshown.length === 0, finding, figures, advice);
}

function idempotentRetries({ replays }: Found): EvidenceItem {
  const finding =
    replays > 0
      ? `A request was repeated under its Idempotency-Key, and got the stored answer, ${replays} times or more.`
      : 'No request was repeated under its Idempotency-Key.';
  const advice =
    'Repeat a mutation under the same Idempotency-Key, as after a timeout: the answer has the header Idempotent-Replayed.';
  return item('idempotent_retries', replays > 0, finding, { replays }, advice);
}

function receiverDrill({ drills: { endpoints, passed } }: Found): EvidenceItem {
  const finding =
    endpoints === 0
      ? 'The app has no webhook endpoint that is enabled, so there is no receiver to drill.'
      : `The latest drill was passed by ${passed} of ${endpoints} enabled endpoints.`;
  const advice = 'Run the receiver drill of each endpoint, and mend what its report names, until no step fails.';
  return item('receiver_drill', passed === endpoints, finding, { endpoints, passed }, advice);
}

function noBrowserUse({ browserUses }: Found): EvidenceItem {
  const finding =
    browserUses === undefined
      ? 'There were more refusals than were looked at, so that nobody can say that no key was used by a browser.'
      : browserUses === 0
        ? 'No key of the app came from a browser.'
        : `A key of the app came from a browser ${browserUses} times or more.`;
  const advice = 'Keep keys on your server, revoke those that were published in a page, and ask again after 30 days.';
  return item('no_browser_use', browserUses === 0, finding, { browserUses: browserUses ?? 0 }, advice);
}

function currentVersions({ deprecated }: Found): EvidenceItem {
  const finding =
    deprecated.length === 0
      ? 'The app uses nothing that is deprecated.'
      : `The app still uses what is deprecated: ${deprecated.join(', ')}.`.slice(0, 500);
  const advice = 'Replace what the page of each deprecation names. A use counts for 30 days.';
  return item('current_versions', deprecated.length === 0, finding, { deprecated: deprecated.length }, advice);
}

export function toEvidence(appId: string, gatheredAtMs: number, found: Found): Evidence {
  return {
    appId: toId('app', appId),
    gatheredAt: new Date(gatheredAtMs).toISOString(),
    since: new Date(sinceMs(gatheredAtMs)).toISOString(),
    scopes: SCOPES.map((scope) => {
      const sample = found.scopes[scope];
      return {
        scope,
        outcome: sample ? 'ok' : 'missing',
        lastRequestId: sample ? toId('req', sample.request_id) : null,
        lastRequestAt: sample?.at.toISOString() ?? null,
        mend: sample ? null : `Call an operation that needs ${scope}, with success and without a simulated fault.`,
      };
    }),
    items: [errorHandling, idempotentRetries, receiverDrill, noBrowserUse, currentVersions].map((judge) =>
      judge(found),
    ),
  };
}

export const sinceMs = (nowMs: number): number => nowMs - SINCE_DAYS * 86_400_000;

export const exampleEvidence: Evidence = toEvidence(
  '019a0000-0000-7000-8000-000000000001',
  Date.UTC(2026, 10, 2, 10, 15, 30),
  {
    scopes: {
      'servers:read': { request_id: '019a0000-0000-7000-8000-000000000002', at: new Date('2026-11-02T10:00:00.000Z') },
      'publications:read': undefined,
      'events:read': undefined,
      'roadmap:read': undefined,
      'tickets:create': undefined,
      'workflows:run': undefined,
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
