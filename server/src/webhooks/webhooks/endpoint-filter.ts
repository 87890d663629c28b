// The filter of an endpoint: the event types, servers and conditions that an event must meet. An event that the filter
// withholds becomes a skipped delivery. Pure.

import { isOperatorContract } from '../../access/contracts/index.ts';
import { toUuid } from '../../kit/crypto/ids.ts';
import { idSchema, namedObject, nullable, oneOf, type Static, Type, text } from '../../kit/http/schema.ts';
import type { InvalidPart } from '../../kit/openapi/problems.ts';
import { readPointer } from '../../kit/text/json-pointer.ts';
import { EVENT_TYPES, type EventType } from '../../resources/events/index.ts';

/** Stands for every event type, including types of later releases. */
export const ALL_EVENT_TYPES = '*';

export const eventTypes = Type.Array(
  oneOf([ALL_EVENT_TYPES, ...EVENT_TYPES], 'An event type, or `*` for every type, including types of later releases.'),
  {
    minItems: 1,
    maxItems: EVENT_TYPES.length,
    uniqueItems: true,
    description: 'The event types that the endpoint receives. `*` must be the only item.',
  },
);
type EventTypesInput = Static<typeof eventTypes>;

const MAX_SERVERS = 100;
const MAX_CONDITIONS = 10;
const MAX_VALUES = 50;
const MAX_TEXT = 200;

export const serverIds = nullable(
  Type.Array(idSchema('srv', "The server's identifier."), {
    minItems: 1,
    maxItems: MAX_SERVERS,
    uniqueItems: true,
    description: 'The servers whose events the endpoint receives; null for every server.',
  }),
);

const scalar = (description: string) =>
  Type.Union([text('A text.', { maxLength: MAX_TEXT }), Type.Number(), Type.Boolean(), Type.Null()], { description });

export const Condition = namedObject(
  'Condition',
  'A condition on one value of an event, in the schema version to which the endpoint is pinned. It has exactly one of `equals`, `in`, `exists` and `prefix`.',
  {
    pointer: text('The place of the value in the event, as a JSON Pointer (RFC 6901).', {
      minLength: 2,
      maxLength: MAX_TEXT,
      pattern: '^(/([^~/\\u0000]|~[01])+)+$',
      examples: ['/data/priority'],
    }),
    equals: Type.Optional(scalar('The value equals this one.')),
    in: Type.Optional(
      Type.Array(scalar('A value.'), {
        minItems: 1,
        maxItems: MAX_VALUES,
        description: 'The value equals one of these.',
      }),
    ),
    exists: Type.Optional(
      Type.Boolean({ description: 'True if the event must have the value; false if it must not.' }),
    ),
    prefix: Type.Optional(
      text('The value is a text that begins with this one.', { minLength: 1, maxLength: MAX_TEXT }),
    ),
  },
);
export type Condition = Static<typeof Condition>;

// The statement that writes a ticket assigns its number, after the deliveries were planned. The objects of an operator's
// contract are complete when the deliveries of their events are planned.
const UNKNOWN_AT_ENQUEUE = isOperatorContract ? undefined : '/data/number';

export const conditions = Type.Array(Condition, {
  maxItems: MAX_CONDITIONS,
  description: `An event must meet all of these conditions. An event that lacks a value meets only \`exists: false\`.${
    UNKNOWN_AT_ENQUEUE === undefined
      ? ''
      : ` The pointer \`${UNKNOWN_AT_ENQUEUE}\` is refused: a ticket gets its number after the filter is evaluated.`
  }`,
});

export const exampleConditions: Condition[] = [{ pointer: '/data/priority', in: ['high', 'urgent'] }];

/** The stored filter of an endpoint. */
export interface EndpointFilter {
  /** The uuids of servers; null for every server. */
  serverIds: readonly string[] | null;
  /** Null for none. */
  conditions: readonly Condition[] | null;
}

/** Returns the types of the input, in its order. `*` becomes all types of this release. */
export const expandTypes = (input: readonly EventTypesInput[number][]): readonly EventType[] =>
  input.includes(ALL_EVENT_TYPES) ? EVENT_TYPES : input.filter((type) => type !== ALL_EVENT_TYPES);

export const toServerUuids = (ids: readonly string[] | null): string[] | null =>
  ids?.map((id) => toUuid('srv', id)) ?? null;

const OPERATORS = ['equals', 'in', 'exists', 'prefix'] as const;

/** Refuses `*` next to other types, and conditions that cannot be evaluated. */
export function validateFilter(input: {
  eventTypes?: readonly string[];
  conditions?: readonly Condition[];
}): InvalidPart[] {
  const { eventTypes: types = [], conditions: given = [] } = input;
  const isMixed = types.includes(ALL_EVENT_TYPES) && types.length > 1;
  return [
    ...(isMixed ? [{ pointer: '/eventTypes', detail: 'must contain only `*`, or no `*`' }] : []),
    ...given.flatMap((condition, at) => {
      const pointer = `/conditions/${at}`;
      if (condition.pointer === UNKNOWN_AT_ENQUEUE) {
        return [
          {
            pointer: `${pointer}/pointer`,
            detail: `must not be \`${UNKNOWN_AT_ENQUEUE}\`: a ticket gets its number after the filter is evaluated`,
          },
        ];
      }
      const count = OPERATORS.filter((operator) => condition[operator] !== undefined).length;
      return count === 1 ? [] : [{ pointer, detail: 'must have exactly one of `equals`, `in`, `exists`, `prefix`' }];
    }),
  ];
}

function holds(condition: Condition, event: unknown): boolean {
  const value = readPointer(event, condition.pointer);
  if (condition.exists !== undefined) return (value !== undefined) === condition.exists;
  if (condition.prefix !== undefined) return typeof value === 'string' && value.startsWith(condition.prefix);
  if (condition.in !== undefined) return condition.in.some((one) => one === value);
  return condition.equals === value;
}

/**
 * Returns true if the filter keeps the event. `readEvent` returns the event in the pinned schema version, and is called
 * only for a filter with conditions.
 */
export function isKept(filter: EndpointFilter, serverId: string, readEvent: () => unknown): boolean {
  if (filter.serverIds !== null && !filter.serverIds.includes(serverId)) return false;
  if (filter.conditions === null || filter.conditions.length === 0) return true;
  const event = readEvent();
  return filter.conditions.every((condition) => holds(condition, event));
}
