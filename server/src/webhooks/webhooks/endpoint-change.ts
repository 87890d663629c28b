// What may be changed about an endpoint, and what it is after a change. Pure.

import { closed, named, type Static, Type } from '../../kit/http/schema.ts';
import type { InvalidPart } from '../../kit/openapi/problems.ts';
import { type HeaderChanges, headerChanges } from './custom-headers.ts';
import {
  disabledReason,
  Endpoint,
  type EndpointRow,
  endpointState,
  optionalSettings,
  pinnedVersions,
  pinVersions,
} from './endpoint.ts';
import { isListener } from './listener.ts';

const { url, keyId, eventTypes } = Endpoint.properties;

export const EndpointChange = named(
  'EndpointChange',
  closed(
    {
      url: Type.Optional(url),
      keyId: Type.Optional(keyId),
      eventTypes: Type.Optional(eventTypes),
      headers: Type.Optional(headerChanges),
      ...optionalSettings,
      state: Type.Optional(endpointState),
      disabledReason: Type.Optional(disabledReason),
    },
    {
      description:
        'What is to be different about an endpoint. What is left out stays, among its headers and the versions of its types too.',
    },
  ),
);
export type EndpointChange = Static<typeof EndpointChange>;

/** What is kept of an endpoint, but for what it proves or sends as a secret. */
export interface EndpointSettings {
  url: string;
  /** The key's uuid. */
  keyId: string;
  eventTypes: EndpointRow['event_types'];
  schemaVersions: Readonly<Record<string, number>>;
  description: string;
  ratePerSecond: number | null;
  isOrdered: boolean;
  scheduleSpeed: EndpointRow['schedule_speed'];
  state: EndpointRow['state'];
  disabledReason: string | null;
}

/** A reason is given to a disabled endpoint and to no other. */
export function refuseReason(change: EndpointChange, present: EndpointRow): InvalidPart[] {
  const isDisabled = (change.state ?? present.state) === 'disabled';
  if (change.disabledReason === undefined || isDisabled) return [];
  return [{ pointer: '/disabledReason', detail: 'is only for an endpoint that is disabled' }];
}

/**
 * The part of an address that is written down for good, and that headers are bound to: the rest of a URL may hold a receiver's secret. A
 * listener is named whole: as a URL its origin would be "null", whichever it is.
 */
export const originOf = (text: string): string =>
  !isListener(text) && URL.canParse(text) ? new URL(text).origin : text;

/** A listener carries no headers of its owner's: a member with a terminal reads what it receives, and no member may read their values. */
export function refuseListenerHeaders(url: string, headers: HeaderChanges = {}): InvalidPart[] {
  const isSet = Object.values(headers).some((value) => value !== null);
  return isListener(url) && isSet ? [{ pointer: '/headers', detail: 'must be empty for a listener' }] : [];
}

/** A URL in the audit log: its origin, and whether there is more. A listener's name is whole. */
export function auditedUrl(text: string): string {
  if (!/^https?:/.test(text)) return text;
  const origin = originOf(text);
  return text === origin || text === `${origin}/` ? origin : `${origin}/*`;
}

/** What was sealed for one receiver is not handed to another: whoever may change the URL could read it there. */
export function refuseOtherHost({ url, headers = {} }: EndpointChange, present: EndpointRow): InvalidPart[] {
  // A listener receives none of them: they are dropped.
  if (url === undefined || isListener(url) || originOf(url) === originOf(present.url)) return [];
  const named = Object.keys(headers).map((name) => name.toLowerCase());
  const kept = present.header_names.filter((name) => !named.includes(name));
  if (kept.length === 0) return [];
  return [{ pointer: '/headers', detail: `must be given anew, or be null, for another host: ${kept.join(', ')}` }];
}

/** `keyId` is the uuid of the change's key. A type keeps its version for as long as the endpoint receives it. */
export function changedSettings(
  row: EndpointRow,
  change: EndpointChange,
  by: { keyId: string | undefined; actor: string },
): EndpointSettings {
  const eventTypes = change.eventTypes ?? row.event_types;
  const state = change.state ?? row.state;
  const reason = change.disabledReason ?? row.disabled_reason ?? `Disabled by ${by.actor}.`.slice(0, 200);
  return {
    url: change.url ?? row.url,
    keyId: by.keyId ?? row.key_id,
    eventTypes,
    schemaVersions: pinVersions(eventTypes, { ...pinnedVersions(row), ...change.schemaVersions }),
    description: change.description ?? row.description,
    ratePerSecond: change.ratePerSecond === undefined ? row.rate_per_second : change.ratePerSecond,
    isOrdered: change.isOrdered ?? row.is_ordered,
    scheduleSpeed: change.scheduleSpeed ?? row.schedule_speed,
    state,
    disabledReason: state === 'disabled' ? reason : null,
  };
}
