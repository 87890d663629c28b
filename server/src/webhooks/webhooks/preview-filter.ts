import { setImmediate } from 'node:timers/promises';
import { allowAppManagement, appParams, type Tenant } from '../../access/authority/index.ts';
import { firstUuidAt, msOfUuid } from '../../kit/crypto/ids.ts';
import { monotonicMs, nowMs } from '../../kit/flow/clock.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { dateTime, integer, namedObject, Type } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import type { EventType } from '../../resources/events/index.ts';
import { optionalSettings, pinVersions } from './endpoint.ts';
import {
  type EndpointFilter,
  eventTypes,
  exampleConditions,
  expandTypes,
  isKept,
  toServerUuids,
  validateFilter,
} from './endpoint-filter.ts';
import { findOldestStored, listFilteredEvents } from './filter-preview-store.ts';
import { validateServers } from './validate-settings.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;
const MAX_EVENTS = 20_000;
/** Events per statement. With conditions, a row has its body, of up to 256 KiB. */
const WINDOW = 200;
const WINDOW_WITH_BODIES = 50;
/** Bodies that are parsed and judged before the process serves other requests. */
const BODIES_PER_SLICE = 10;
const COUNT_FOR_MS = 2_000;

const { serverIds, conditions, schemaVersions } = optionalSettings;

const FilterToPreview = namedObject(
  'FilterToPreview',
  'A filter to preview. The default for a schema version is the newest one.',
  { eventTypes, serverIds, conditions, schemaVersions },
);

const count = (description: string) => integer(description, 0, MAX_EVENTS);

const FilterPreview = namedObject('FilterPreview', 'How many events of the app a filter keeps.', {
  kept: count('How many of these events the filter keeps.'),
  total: count('How many events of the app occurred in the period, on servers that authorise them now.'),
  since: dateTime('The start of the period.'),
  isComplete: Type.Boolean({
    description: `True if the period is the last ${DAYS} days, or the time for which events are stored if that is shorter. Otherwise there were too many events, and only the newest were counted.`,
  }),
});

export const previewFilter = operation({
  id: 'previewFilter',
  route: 'POST /organisations/{organisationId}/apps/{appId}/filter-previews',
  tag: 'Webhooks',
  summary: 'Preview the filter of an endpoint',
  description: `Counts how many events of the last ${DAYS} days an endpoint with this filter would have received, and how many events there were. If events are stored for a shorter time, the count covers that time. Counts only events that the app may read now, and no test events. Counts at most ${MAX_EVENTS} events within two seconds, newest first; \`since\` states how far the count reached. Stores nothing.`,
  access: allowAppManagement('deliveries.read'),
  params: appParams,
  body: FilterToPreview,
  examples: { urgentTickets: { eventTypes: ['ticket.created'], conditions: exampleConditions } },
  replies: ok('The counts.', FilterPreview, {
    someAreKept: { kept: 120, total: 1400, since: '2026-10-03T10:15:30.000Z', isComplete: true },
  }),
  async run({ tenant }, { body }) {
    const types = expandTypes(body.eventTypes);
    const errors = [...validateFilter(body), ...(await validateServers(tenant, body))];
    if (errors.length > 0) throw problem('invalid_request', { errors });
    const filter = { serverIds: toServerUuids(body.serverIds ?? null), conditions: body.conditions ?? null };
    // Reads use a connection of their own, so no revocation waits for this one.
    const versions = pinVersions(types, body.schemaVersions);
    const period = { startMs: nowMs() - DAYS * DAY_MS, storedSinceMs: await findStoredSince(tenant) };
    return { status: 200, body: await countKept(tenant, filter, types, { versions, ...period }) };
  },
});

/** Returns the start of the oldest partition of the events, in milliseconds since the Unix epoch. */
async function findStoredSince(tenant: Tenant): Promise<number> {
  const oldest = await findOldestStored(tenant);
  return oldest === undefined ? 0 : msOfUuid(oldest);
}

interface CountedPeriod {
  versions: Readonly<Record<string, number>>;
  /** The earliest time that is counted. */
  startMs: number;
  storedSinceMs: number;
}

export async function countKept(
  tenant: Tenant,
  filter: EndpointFilter,
  types: readonly EventType[],
  { versions, startMs, storedSinceMs }: CountedPeriod,
) {
  const beginMs = monotonicMs();
  const counted = { kept: 0, total: 0 };
  const selectedTypes = types.map((type) => ({ type, version: versions[type] ?? 1 }));
  const hasConditions = (filter.conditions ?? []).length > 0;
  const window = hasConditions ? WINDOW_WITH_BODIES : WINDOW;
  const isLate = () => monotonicMs() - beginMs > COUNT_FOR_MS;
  let before: string | undefined;
  // The time of an event that access withholds is not returned.
  let lastCounted: string | undefined;
  const stop = () => {
    const since = lastCounted === undefined ? nowMs() : msOfUuid(lastCounted);
    return { ...counted, since: new Date(since).toISOString(), isComplete: false };
  };
  const finish = () => {
    // The default partition can have events from before the oldest partition.
    const countedSinceMs = lastCounted === undefined ? storedSinceMs : Math.min(storedSinceMs, msOfUuid(lastCounted));
    return { ...counted, since: new Date(Math.max(startMs, countedSinceMs)).toISOString(), isComplete: true };
  };
  let bodies = 0;
  for (let examined = 0; ; examined += window) {
    if (examined >= MAX_EVENTS || isLate()) return stop();
    const page = { after: firstUuidAt(startMs), before, limit: window };
    const rows = await listFilteredEvents(tenant, { wanted: selectedTypes, hasConditions }, page);
    for (const row of rows) {
      if (!row.is_granted) continue;
      if (row.body !== null && ++bodies % BODIES_PER_SLICE === 0) {
        await setImmediate();
        if (isLate()) return stop();
      }
      counted.total += 1;
      lastCounted = row.event_id;
      if (row.is_wanted && isKept(filter, row.server_id ?? '', () => JSON.parse(row.body ?? 'null'))) counted.kept += 1;
    }
    before = rows.at(-1)?.event_id;
    if (rows.length < window) return finish();
  }
}
