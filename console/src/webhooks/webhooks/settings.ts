// Settings of an endpoint as form input, and the resulting change.
import type { Condition, Endpoint, EndpointChange } from '../../kit/api.ts';
import { receivedTypes } from './event-types.ts';

export interface Settings {
  url: string;
  /** The keys in the order in which they are tried. */
  keyIds: readonly string[];
  eventTypes: Endpoint['eventTypes'];
  serverIds: Endpoint['serverIds'];
  conditions: Condition[];
  schemaVersions: Endpoint['schemaVersions'];
  description: string;
  /** Empty: no limit. */
  ratePerSecond: number | string;
  isOrdered: boolean;
  scheduleSpeed: Endpoint['scheduleSpeed'];
}

/** Changes by header name in lower case: a new value, or null to remove the header. */
export type HeaderChanges = Record<string, string | null>;

export function settingsOf(endpoint: Endpoint): Settings {
  const { url, keyIds, eventTypes, serverIds, conditions, schemaVersions, description } = endpoint;
  const { ratePerSecond, isOrdered, scheduleSpeed } = endpoint;
  const pace = { ratePerSecond: ratePerSecond ?? '', isOrdered, scheduleSpeed };
  return { url, keyIds, eventTypes, serverIds, conditions, schemaVersions, description, ...pace };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Returns only changed fields. An omitted field keeps its value, also if another member changed it meanwhile. */
export function changeOf(endpoint: Endpoint, input: Settings, headers: HeaderChanges): EndpointChange {
  const { keyIds, eventTypes, serverIds, conditions, ratePerSecond, isOrdered, scheduleSpeed } = input;
  const [url, description] = [input.url.trim(), input.description.trim()];
  const rate = ratePerSecond === '' ? null : Number(ratePerSecond);
  const schemaVersions = changedVersions(endpoint, input);
  return {
    ...(url !== endpoint.url && { url }),
    ...(keyIds.length > 0 && !isSame(keyIds, endpoint.keyIds) && { keyIds: [...keyIds] }),
    ...(!isSame([...eventTypes].sort(), [...endpoint.eventTypes].sort()) && { eventTypes }),
    ...(!isSame(serverIds, endpoint.serverIds) && { serverIds }),
    ...(!isSame(conditions, endpoint.conditions) && { conditions }),
    ...(Object.keys(schemaVersions).length > 0 && { schemaVersions }),
    ...(description !== endpoint.description && { description }),
    ...(rate !== endpoint.ratePerSecond && { ratePerSecond: rate }),
    ...(isOrdered !== endpoint.isOrdered && { isOrdered }),
    ...(scheduleSpeed !== endpoint.scheduleSpeed && { scheduleSpeed }),
    ...(Object.keys(headers).length > 0 && !url.startsWith('listener:') && { headers }),
  };
}

function changedVersions(endpoint: Endpoint, { eventTypes, schemaVersions }: Settings): Settings['schemaVersions'] {
  const changed = receivedTypes(eventTypes).flatMap((type) => {
    const version = schemaVersions[type];
    return version === undefined || version === endpoint.schemaVersions[type] ? [] : [[type, version] as const];
  });
  return Object.fromEntries(changed);
}
