// A forecast: how many recorded requests and deliveries a change would have refused. Pure.

import { KeyId } from '../../access/authority/index.ts';
import { toId, toUuid } from '../../kit/crypto/ids.ts';
import { dateTime, describedObject, namedObject, nullable, type Static, Type } from '../../kit/http/schema.ts';
import { DeliveryId } from '../../webhooks/webhooks/index.ts';
import { exampleRequest, RequestId, type SourcePosition } from '../requests/index.ts';
import { forecastCursor } from './access-change.ts';
import type { DeliveryEffect } from './judge-delivery.ts';
import type { RequestEffect } from './judge-request.ts';

export const FORECAST_DAYS = 30;
const MAX_KEYS = 50;

const count = (description: string) => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

export const AccessForecast = namedObject(
  'AccessForecast',
  'What a change would break, by the records of the period. Each part has the totals so far.',
  {
    since: dateTime(`The start of the period, ${FORECAST_DAYS} days before its end.`),
    until: dateTime('The end of the period: when the forecast began.'),
    oldestRecordAt: nullable(
      dateTime('When the oldest stored request of the period arrived. Null if the period has no stored request.'),
    ),
    lostRecords: count('The number of requests of the period without a record. The forecast does not include them.'),
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'The examined share of the period; 1 at the end.' }),
    requests: describedObject('The requests that succeeded and that the current state allows.', {
      since: dateTime(
        'The time from which requests of the period are stored. It is later than the start of the period if the installation or the organisation keeps requests for fewer days, or if the installation is younger.',
      ),
      examined: count('The number of examined records, including those that the change does not concern.'),
      refused: count('The number of requests that would be refused.'),
      shortened: count(
        'The number of lists that would leave out the objects of a server. The records do not state whether a list had any.',
      ),
      unknown: count('The number of requests for which the records do not answer the question.'),
      newestId: nullable({ ...RequestId, description: 'The newest request that would be refused; null without any.' }),
      keys: Type.Array(
        describedObject('The requests of a key, and of the ended keys that it replaced.', {
          keyId: KeyId,
          refused: count('The number of requests that would be refused.'),
        }),
        { maxItems: MAX_KEYS, description: 'The keys with requests that would be refused, most requests first.' },
      ),
      isKeyListComplete: Type.Boolean({ description: `False if there are more than ${MAX_KEYS} keys.` }),
    }),
    deliveries: describedObject('The scheduled deliveries that were sent or wait, and that the current state allows.', {
      since: dateTime(
        'The time from which deliveries of the period are stored. It is later than the start of the period if the installation keeps deliveries for fewer days, or is younger.',
      ),
      examined: count('The number of examined deliveries, including those that the change does not concern.'),
      skipped: count('The number of deliveries that would be skipped, or would not exist.'),
      held: count('The number of deliveries that would be held until a server resumes.'),
      unknown: count(
        'The number of deliveries whose event is no longer stored, or for which a condition needs an event that the app may not read now.',
      ),
      newestId: nullable({
        ...DeliveryId,
        description: 'The newest delivery that would be skipped or held; null without any.',
      }),
    }),
    nextCursor: nullable(forecastCursor),
  },
);
type AccessForecast = Static<typeof AccessForecast>;

export interface Totals {
  examinedRequests: number;
  refused: number;
  shortened: number;
  unknownRequests: number;
  newestRequestId: string | null;
  /** Refused requests by the uuid of their key. */
  keys: Record<string, number>;
  isKeyListComplete: boolean;
  examinedDeliveries: number;
  skipped: number;
  held: number;
  unknownDeliveries: number;
  newestDeliveryId: string | null;
}

/** Where a forecast continues. */
export interface Position extends SourcePosition {
  totals: Totals;
}

export const newTotals = (): Totals => ({
  examinedRequests: 0,
  refused: 0,
  shortened: 0,
  unknownRequests: 0,
  newestRequestId: null,
  keys: {},
  isKeyListComplete: true,
  examinedDeliveries: 0,
  skipped: 0,
  held: 0,
  unknownDeliveries: 0,
  newestDeliveryId: null,
});

/** A number of records of one kind, and the newest of them. */
interface CountedGroup {
  count: number;
  newest: string;
}

const newer = (one: string | null, other: string): string => (one !== null && one > other ? one : other);

export function addRequests(
  totals: Totals,
  keyId: string,
  effect: RequestEffect,
  { count, newest }: CountedGroup,
): void {
  if (effect === 'shortened') totals.shortened += count;
  if (effect === 'unknown') totals.unknownRequests += count;
  if (effect !== 'refused') return;
  totals.refused += count;
  totals.newestRequestId = newer(totals.newestRequestId, newest);
  const isListed = keyId in totals.keys || Object.keys(totals.keys).length < MAX_KEYS;
  if (isListed) totals.keys[keyId] = (totals.keys[keyId] ?? 0) + count;
  else totals.isKeyListComplete = false;
}

export function addDeliveries(totals: Totals, effect: DeliveryEffect, { count, newest }: CountedGroup): void {
  if (effect === 'unknown') totals.unknownDeliveries += count;
  if (effect !== 'skipped' && effect !== 'held') return;
  totals[effect] += count;
  totals.newestDeliveryId = newer(totals.newestDeliveryId, newest);
}

/** The facts of a part that do not depend on the position. */
interface PartFacts {
  /** The times from which requests and deliveries of the period are stored, in milliseconds since the Unix epoch. */
  storedSinceMs: { requests: number; deliveries: number };
  oldestRecordAt: string | null;
  lostRecords: number;
  progress: number;
  nextCursor: string | null;
}

export function toForecast({ sinceMs, untilMs, totals }: Position, facts: PartFacts): AccessForecast {
  const keys = Object.entries(totals.keys).map(([uuid, refused]) => ({ keyId: toId('key', uuid), refused }));
  return {
    since: new Date(sinceMs).toISOString(),
    until: new Date(untilMs).toISOString(),
    oldestRecordAt: facts.oldestRecordAt,
    lostRecords: facts.lostRecords,
    progress: facts.progress,
    requests: {
      since: new Date(facts.storedSinceMs.requests).toISOString(),
      examined: totals.examinedRequests,
      refused: totals.refused,
      shortened: totals.shortened,
      unknown: totals.unknownRequests,
      newestId: totals.newestRequestId && toId('req', totals.newestRequestId),
      keys: keys.sort((a, b) => b.refused - a.refused || (a.keyId < b.keyId ? -1 : 1)),
      isKeyListComplete: totals.isKeyListComplete,
    },
    deliveries: {
      since: new Date(facts.storedSinceMs.deliveries).toISOString(),
      examined: totals.examinedDeliveries,
      skipped: totals.skipped,
      held: totals.held,
      unknown: totals.unknownDeliveries,
      newestId: totals.newestDeliveryId && toId('dlv', totals.newestDeliveryId),
    },
    nextCursor: facts.nextCursor,
  };
}

const AN_HOUR_MS = 3_600_000;
const exampleUntilMs = Date.parse('2026-11-02T10:20:00.000Z');

const exampleSinceMs = exampleUntilMs - FORECAST_DAYS * 24 * AN_HOUR_MS;

export const exampleForecast: AccessForecast = toForecast(
  {
    sinceMs: exampleSinceMs,
    untilMs: exampleUntilMs,
    source: undefined,
    before: undefined,
    totals: {
      ...newTotals(),
      examinedRequests: 20_480,
      refused: 412,
      newestRequestId: toUuid('req', exampleRequest.id),
      keys: { [toUuid('key', exampleRequest.keyId ?? '')]: 412 },
      examinedDeliveries: 1_204,
      skipped: 38,
      newestDeliveryId: toUuid('dlv', 'dlv_01j9z3v8k6e5t8m2n4p6q8r0s9'),
    },
  },
  {
    storedSinceMs: { requests: exampleSinceMs, deliveries: exampleSinceMs },
    oldestRecordAt: '2026-10-03T10:20:04.000Z',
    lostRecords: 0,
    progress: 1,
    nextCursor: null,
  },
);
