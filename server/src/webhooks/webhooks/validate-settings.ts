// Refuses invalid settings of a new or changed endpoint, with a reason for each part.

import { findKeyState, type ManagedAppContext, type Tenant } from '../../access/authority/index.ts';
import { toUuid } from '../../kit/crypto/ids.ts';
import type { InvalidPart } from '../../kit/openapi/problems.ts';
import { escapePointer } from '../../kit/text/json-pointer.ts';
import { EVENT_SCOPE } from '../../resources/events/index.ts';
import { type Condition, toServerUuids, validateFilter } from './endpoint-filter.ts';
import { namedKeys } from './endpoint-keys.ts';
import { isListener, validateListener } from './listener.ts';
import { listUnknownServers } from './store.ts';

interface SettingsInput {
  url?: string;
  keyId?: string;
  keyIds?: readonly string[];
  scheduleSpeed?: number;
  /** The types that the endpoint will receive, including types that a change does not name. */
  received: readonly string[];
  eventTypes?: readonly string[];
  serverIds?: readonly string[] | null;
  conditions?: readonly Condition[];
  schemaVersions?: Readonly<Record<string, number>>;
}

// An endpoint without a usable key cancels every waiting delivery.
async function validateKey(tenant: Tenant, keyId: string): Promise<string | undefined> {
  const key = await findKeyState(tenant, toUuid('key', keyId));
  if (!key) return 'must be a key of this app';
  const choose = `choose an active key with ${EVENT_SCOPE}`;
  if (key.state !== 'active') return `is revoked: ${choose}`;
  if (key.isExpired) return `has expired: ${choose}`;
  return key.scopes.includes(EVENT_SCOPE) ? undefined : `lacks ${EVENT_SCOPE}: ${choose}`;
}

const validateUrl = (plane: ManagedAppContext['plane'], url: string): string | undefined =>
  isListener(url) ? validateListener(url, plane.environment) : plane.deliveries.refuseUrl(url);

// The version would be lost, and a type that is added later would get the newest version.
const validateVersions = ({ received, schemaVersions = {} }: SettingsInput): InvalidPart[] =>
  Object.keys(schemaVersions)
    .filter((type) => !received.includes(type))
    .map((type) => ({
      pointer: `/schemaVersions/${escapePointer(type)}`,
      detail: 'must be a type that the endpoint receives',
    }));

// A filter on a server that the app is not installed on would withhold every event.
export async function validateServers(
  tenant: Tenant,
  { serverIds }: Pick<SettingsInput, 'serverIds'>,
): Promise<InvalidPart[]> {
  const uuids = toServerUuids(serverIds ?? []) ?? [];
  const unknown = uuids.length === 0 ? [] : await listUnknownServers(tenant, uuids);
  return unknown.map((uuid) => ({
    pointer: `/serverIds/${uuids.indexOf(uuid)}`,
    detail: 'must be a server on which the app is or was installed',
  }));
}

export async function validateSettings(
  { plane, tenant }: ManagedAppContext,
  input: SettingsInput,
): Promise<InvalidPart[]> {
  const { url, scheduleSpeed = 1 } = input;
  const isTooFast = scheduleSpeed !== 1 && plane.environment !== 'sandbox';
  const keys = await Promise.all(
    namedKeys(input).map(
      async ({ pointer, keyId }): Promise<[string, string | undefined]> => [pointer, await validateKey(tenant, keyId)],
    ),
  );
  const refusals: [string, string | undefined][] = [
    ['/url', url === undefined ? undefined : validateUrl(plane, url)],
    ...keys,
    ['/scheduleSpeed', isTooFast ? 'must be 1 outside the sandbox' : undefined],
  ];
  const parts = refusals.flatMap(([pointer, detail]) => (detail === undefined ? [] : [{ pointer, detail }]));
  return [...parts, ...validateVersions(input), ...validateFilter(input), ...(await validateServers(tenant, input))];
}
