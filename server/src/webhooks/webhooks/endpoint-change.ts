// The permitted changes of an endpoint, and the settings after a change. Pure.

import { namedObject, type Static, Type } from '../../kit/http/schema.ts';
import type { InvalidPart } from '../../kit/openapi/problems.ts';
import type { EventType } from '../../resources/events/index.ts';
import { type HeaderChanges, headerChanges } from './custom-headers.ts';
import {
  disabledReason,
  Endpoint,
  type EndpointRow,
  endpointState,
  optionalKeys,
  optionalSettings,
  pinnedVersions,
  pinVersions,
  receivedTypes,
} from './endpoint.ts';
import { ALL_EVENT_TYPES, type Condition, expandTypes, toServerUuids } from './endpoint-filter.ts';
import { changedKeyIds } from './endpoint-keys.ts';
import { isListener } from './listener.ts';

const { url, eventTypes } = Endpoint.properties;

export const EndpointChange = namedObject(
  'EndpointChange',
  'The changes to an endpoint. A property that is left out stays unchanged. The same applies to each header and each schema version.',
  {
    url: Type.Optional(url),
    ...optionalKeys,
    eventTypes: Type.Optional(eventTypes),
    headers: Type.Optional(headerChanges),
    ...optionalSettings,
    state: Type.Optional(endpointState),
    disabledReason: Type.Optional(disabledReason),
  },
);
export type EndpointChange = Static<typeof EndpointChange>;

/** The stored settings of an endpoint, without its secrets and headers. */
export interface EndpointSettings {
  url: string;
  /** The uuids of the keys, in their order. */
  keyIds: readonly string[];
  eventTypes: readonly EventType[];
  receivesAllTypes: boolean;
  /** The uuids of servers; null for every server. */
  serverIds: readonly string[] | null;
  conditions: readonly Condition[] | null;
  schemaVersions: Readonly<Record<string, number>>;
  description: string;
  ratePerSecond: number | null;
  isOrdered: boolean;
  scheduleSpeed: EndpointRow['schedule_speed'];
  state: EndpointRow['state'];
  disabledReason: string | null;
}

/** Refuses a reason unless the endpoint is disabled. */
export function validateDisabledReason(change: EndpointChange, current: EndpointRow): InvalidPart[] {
  const isDisabled = (change.state ?? current.state) === 'disabled';
  if (change.disabledReason === undefined || isDisabled) return [];
  return [{ pointer: '/disabledReason', detail: 'requires a disabled endpoint' }];
}

/**
 * Returns the part of a URL that may be logged permanently, and to which headers are bound. The rest of the URL may
 * contain a secret of the receiver. A listener is returned whole, because the origin of each listener would be "null".
 */
export const originOf = (text: string): string =>
  !isListener(text) && URL.canParse(text) ? new URL(text).origin : text;

/**
 * Refuses custom headers on a listener. A member with a terminal reads the requests to it, and no member may read the
 * values.
 */
export function validateListenerHeaders(url: string, headers: HeaderChanges = {}): InvalidPart[] {
  const isSet = Object.values(headers).some((value) => value !== null);
  return isListener(url) && isSet ? [{ pointer: '/headers', detail: 'must be empty for a listener' }] : [];
}

/** Returns a URL for the audit log: its origin, and a mark if it has a path. A listener's name is logged whole. */
export function toAuditUrl(text: string): string {
  if (!/^https?:/.test(text)) return text;
  const origin = originOf(text);
  return text === origin || text === `${origin}/` ? origin : `${origin}/*`;
}

/**
 * Refuses a change of host that keeps sealed headers. A member who may change the URL could otherwise read the values
 * at the new host.
 */
export function validateHostChange({ url, headers = {} }: EndpointChange, current: EndpointRow): InvalidPart[] {
  // A change to a listener drops the headers.
  if (url === undefined || isListener(url) || originOf(url) === originOf(current.url)) return [];
  const named = Object.keys(headers).map((name) => name.toLowerCase());
  const keptNames = current.header_names.filter((name) => !named.includes(name));
  if (keptNames.length === 0) return [];
  return [{ pointer: '/headers', detail: `must be set again, or be null, for another host: ${keptNames.join(', ')}` }];
}

/**
 * Returns the settings after a change by `actor`. A type keeps its version while the endpoint receives it.
 */
export function changedSettings(row: EndpointRow, change: EndpointChange, actor: string): EndpointSettings {
  const eventTypes = change.eventTypes ? expandTypes(change.eventTypes) : receivedTypes(row);
  const state = change.state ?? row.state;
  const reason = change.disabledReason ?? row.disabled_reason ?? `Disabled by ${actor}.`.slice(0, 200);
  return {
    url: change.url ?? row.url,
    keyIds: changedKeyIds(change, row.key_ids),
    eventTypes,
    receivesAllTypes: change.eventTypes?.includes(ALL_EVENT_TYPES) ?? row.receives_all_types,
    serverIds: change.serverIds === undefined ? row.server_ids : toServerUuids(change.serverIds),
    conditions: change.conditions ?? row.conditions,
    schemaVersions: pinVersions(eventTypes, { ...pinnedVersions(row), ...change.schemaVersions }),
    description: change.description ?? row.description,
    ratePerSecond: change.ratePerSecond === undefined ? row.rate_per_second : change.ratePerSecond,
    isOrdered: change.isOrdered ?? row.is_ordered,
    scheduleSpeed: change.scheduleSpeed ?? row.schedule_speed,
    state,
    disabledReason: state === 'disabled' ? reason : null,
  };
}
