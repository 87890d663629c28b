// A change that takes access away: what a key, grants or an endpoint would lose. The functions are pure.

import {
  addressRanges,
  type GrantState,
  KeyId,
  SCOPES,
  type Scope,
  ScopeSchema,
  validateAddressRanges,
} from '../../access/authority/index.ts';
import { toUuid } from '../../kit/crypto/ids.ts';
import { namedObject, oneOf, type Static, Type, text } from '../../kit/http/schema.ts';
import type { InvalidPart } from '../../kit/openapi/problems.ts';
import { type AddressRanges, parseRanges } from '../../kit/outbound/address-ranges.ts';
import type { EventType } from '../../resources/events/index.ts';
import { ServerId } from '../../resources/servers/index.ts';
import {
  type Condition,
  conditions,
  EndpointId,
  eventTypes,
  expandTypes,
  serverIds,
  toServerUuids,
  validateFilter,
} from '../../webhooks/webhooks/index.ts';

const MAX_SERVERS = 1_000;
const MAX_DAYS = 30;

const KeyNarrowing = namedObject(
  'KeyNarrowing',
  'What a key would lose. `keyId` and at least one other field are required.',
  {
    keyId: KeyId,
    state: Type.Optional(oneOf(['revoked'], '`revoked`: the key would be revoked.')),
    scopes: Type.Optional(
      Type.Array(ScopeSchema, {
        minItems: 1,
        maxItems: SCOPES.length,
        uniqueItems: true,
        description: 'The scopes that the key would keep.',
      }),
    ),
    allowedCidrs: Type.Optional(
      addressRanges('The address ranges from which the key could still be used. They replace the ranges of the key.'),
    ),
    expiresInDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_DAYS,
        description:
          'A lifetime, from the creation of each key. A request or a delivery breaks it if it was made later than that.',
      }),
    ),
  },
);

const GrantNarrowing = namedObject('GrantNarrowing', 'What servers would no longer grant to the app.', {
  serverIds: Type.Array(ServerId, {
    minItems: 1,
    maxItems: MAX_SERVERS,
    uniqueItems: true,
    description: 'The servers.',
  }),
  scopes: Type.Optional(
    Type.Array(ScopeSchema, {
      minItems: 1,
      maxItems: SCOPES.length,
      uniqueItems: true,
      description:
        'The scopes that would change on each server. Without this field the installation changes as a whole.',
    }),
  ),
  state: oneOf(['paused', 'revoked'], 'The new state.'),
});

const EndpointNarrowing = namedObject(
  'EndpointNarrowing',
  'What an endpoint would no longer receive. `endpointId` and at least one other field are required.',
  {
    endpointId: EndpointId,
    state: Type.Optional(oneOf(['disabled'], '`disabled`: the endpoint would be disabled.')),
    eventTypes: Type.Optional(eventTypes),
    serverIds: Type.Optional(serverIds),
    conditions: Type.Optional(conditions),
  },
);

/** Its position in a forecast: the totals of up to 50 keys are in it. */
const cursor = (description: string) => text(description, { maxLength: 6_000, pattern: '^[A-Za-z0-9_-]*$' });
export const forecastCursor = cursor('Cursor of the next part; null if the forecast is complete.');

export const AccessChangeInput = namedObject(
  'AccessChangeInput',
  'A change to forecast. Exactly one of `key`, `grants` and `endpoint` is required.',
  {
    key: Type.Optional(KeyNarrowing),
    grants: Type.Optional(GrantNarrowing),
    endpoint: Type.Optional(EndpointNarrowing),
    cursor: Type.Optional(cursor('Cursor of the part: the `nextCursor` of the previous part of the same change.')),
  },
);
export type AccessChangeInput = Static<typeof AccessChangeInput>;

interface ForecastKeyChange {
  kind: 'key';
  keyId: string;
  isRevoked: boolean;
  scopes: readonly Scope[] | undefined;
  ranges: AddressRanges | undefined;
  lifetimeDays: number | undefined;
}

export interface ForecastGrantChange {
  kind: 'grants';
  serverIds: readonly string[];
  /** Undefined: the installation as a whole. */
  scopes: readonly Scope[] | undefined;
  state: Exclude<GrantState, 'authorised'>;
}

export interface ForecastEndpointChange {
  kind: 'endpoint';
  endpointId: string;
  isDisabled: boolean;
  types: readonly EventType[] | undefined;
  /** Null: every server. */
  serverIds: readonly string[] | null | undefined;
  conditions: readonly Condition[] | undefined;
}

export type AccessChange = ForecastKeyChange | ForecastGrantChange | ForecastEndpointChange;

const hasOnly = (name: string, object: object): boolean => Object.keys(object).every((field) => field === name);

/** Refuses an input without a change, or with several. */
export function validateChange({ key, grants, endpoint }: AccessChangeInput): InvalidPart[] {
  const given = [key, grants, endpoint].filter((one) => one !== undefined);
  if (given.length !== 1) return [{ pointer: '', detail: 'must have exactly one of `key`, `grants`, `endpoint`' }];
  if (key && hasOnly('keyId', key)) {
    return [{ pointer: '/key', detail: 'must have `state`, `scopes`, `allowedCidrs` or `expiresInDays`' }];
  }
  if (endpoint && hasOnly('endpointId', endpoint)) {
    return [{ pointer: '/endpoint', detail: 'must have `state`, `eventTypes`, `serverIds` or `conditions`' }];
  }
  return [
    ...validateAddressRanges(key?.allowedCidrs ?? [], '/key/allowedCidrs'),
    ...validateFilter(endpoint ?? {}).map((part) => ({ ...part, pointer: `/endpoint${part.pointer}` })),
  ];
}

/** Returns the change of a valid input. */
export function toAccessChange({ key, grants, endpoint }: AccessChangeInput): AccessChange {
  if (key) {
    return {
      kind: 'key',
      keyId: toUuid('key', key.keyId),
      isRevoked: key.state === 'revoked',
      scopes: key.scopes,
      ranges: key.allowedCidrs && parseRanges(key.allowedCidrs),
      lifetimeDays: key.expiresInDays,
    };
  }
  if (grants) {
    const { state, scopes } = grants;
    return { kind: 'grants', serverIds: toServerUuids(grants.serverIds) ?? [], scopes, state };
  }
  if (!endpoint) throw new Error('The input must have been validated.');
  const { endpointId, state, eventTypes, serverIds, conditions } = endpoint;
  return {
    kind: 'endpoint',
    endpointId: toUuid('whe', endpointId),
    isDisabled: state === 'disabled',
    types: eventTypes && expandTypes(eventTypes),
    serverIds: serverIds === undefined ? undefined : toServerUuids(serverIds),
    conditions,
  };
}
