// A relay: a request to an endpoint whose URL is a listener. A terminal fetches it and returns the response of the
// attempt.
import {
  describedObject,
  idSchema,
  integer,
  namedObject,
  namedSchema,
  oneOf,
  type Static,
  Type,
  text,
} from '../../../kit/http/schema.ts';
import { MAX_READ_BYTES } from '../attempt/attempt-result.ts';

/** Maximum number of answers, and of relays, per exchange. The maximum request size limits the bytes of the answers. */
const MAX_PER_EXCHANGE = 6;
const MAX_IN_FLIGHT = 20;

const RelayId = idSchema('rly', "The relay's identifier.");
const headers = (description: string) =>
  Type.Record(Type.String({ pattern: '^[a-z0-9-]{1,100}$' }), text('The header’s value.', { maxLength: 16_384 }), {
    maxProperties: 100,
    additionalProperties: false,
    description,
  });

export const Relay = namedObject('Relay', 'A request that the listener forwards.', {
  id: RelayId,
  headers: headers('The headers to send, signature included.'),
  body: text('The body to send, byte for byte.', { maxLength: 16_777_216 }),
});
export type Relay = Static<typeof Relay>;

const RelayResponse = describedObject('The response of the receiver.', {
  id: RelayId,
  status: integer('The HTTP status of the response.', 100, 999),
  headers: headers('The headers of the response.'),
  bodyBase64: text('The beginning of the response’s body, in base64.', {
    maxLength: Math.ceil(MAX_READ_BYTES / 3) * 4,
    pattern: '^[A-Za-z0-9+/]*={0,2}$',
  }),
  isBodyTruncated: Type.Boolean({ description: 'True if the body was cut.' }),
});
const RelayFailure = describedObject('A request to which the receiver did not respond.', {
  id: RelayId,
  failure: oneOf(['connect', 'timeout', 'protocol'], 'The kind of failure.'),
  detail: text('The failure, as a sentence.', { minLength: 1, maxLength: 500 }),
});
export const RelayAnswer = namedSchema('RelayAnswer', Type.Union([RelayResponse, RelayFailure]));
export type RelayAnswer = Static<typeof RelayAnswer>;

export const RelayExchange = namedObject(
  'RelayExchange',
  'The results of a listener, and how many more requests it takes.',
  {
    answers: Type.Array(RelayAnswer, {
      maxItems: MAX_PER_EXCHANGE,
      description: 'The results of requests that were taken earlier.',
    }),
    inFlightIds: Type.Array(RelayId, {
      maxItems: MAX_IN_FLIGHT,
      description:
        'Requests that were taken and have no response yet. A request that was taken and is missing here counts as lost and is handed out again.',
    }),
    limit: integer('The maximum number of requests to take.', 0, MAX_PER_EXCHANGE),
  },
);

export const TakenRelays = namedObject('TakenRelays', 'The requests to forward.', {
  data: Type.Array(Relay, {
    maxItems: MAX_PER_EXCHANGE,
    description: 'The requests that were taken by this call, oldest first. No other listener receives them.',
  }),
  late: Type.Array(RelayId, {
    maxItems: MAX_PER_EXCHANGE,
    description: 'The results that came too late, because their attempts had ended.',
  }),
});

export const exampleRelay: Relay = {
  id: 'rly_01j9z3v8k6e5t8m2n4p6q8r0sg',
  headers: { 'webhook-id': 'evt_01j9z3v8k6e5t8m2n4p6q8r0sb', 'slipway-attempt': '1' },
  body: '{"type":"ticket.created"}',
};

/** Returns the binding under which a request is sealed, so that no row can use the request of another one. */
export const relayBinding = (relayId: string): string => `relay:${relayId}`;
