// A relay: a request to an endpoint whose URL is a listener. A terminal fetches it and returns the response of the
// attempt.
import { closed, idSchema, named, oneOf, type Static, Type, text } from '../../kit/http/schema.ts';
import { MAX_READ_BYTES } from './conclude.ts';

/** Maximum number of answers, and of relays, per exchange. The maximum request size limits the bytes of the answers. */
export const MOST_AT_ONCE = 6;
const MOST_IN_HAND = 20;

export const RelayId = idSchema('rly', "The relay's identifier.");
const headers = (description: string) =>
  Type.Record(Type.String({ pattern: '^[a-z0-9-]{1,100}$' }), text('Its value.', { maxLength: 16_384 }), {
    maxProperties: 100,
    additionalProperties: false,
    description,
  });

export const Relay = named(
  'Relay',
  closed(
    {
      id: RelayId,
      headers: headers('The headers to send, signature included.'),
      body: text('The body to send, byte for byte.', { maxLength: 16_777_216 }),
    },
    { description: 'A request that whoever listens sends on.' },
  ),
);
export type Relay = Static<typeof Relay>;

const Answered = closed(
  {
    id: RelayId,
    status: Type.Integer({ minimum: 100, maximum: 999, description: 'The HTTP status of the answer.' }),
    headers: headers('The headers of the answer.'),
    bodyBase64: text('The beginning of its body, in base64.', {
      maxLength: Math.ceil(MAX_READ_BYTES / 3) * 4,
      pattern: '^[A-Za-z0-9+/]*={0,2}$',
    }),
    isBodyCut: Type.Boolean({ description: 'Whether the body was longer.' }),
  },
  { description: 'What the receiver answered.' },
);
const Unanswered = closed(
  {
    id: RelayId,
    failure: oneOf(['connect', 'timeout', 'protocol'], 'Why there was no answer.'),
    detail: text('The same in words.', { minLength: 1, maxLength: 500 }),
  },
  { description: 'That the receiver did not answer.' },
);
export const RelayAnswer = named('RelayAnswer', Type.Union([Answered, Unanswered]));
export type RelayAnswer = Static<typeof RelayAnswer>;

export const RelayExchange = named(
  'RelayExchange',
  closed(
    {
      answers: Type.Array(RelayAnswer, {
        maxItems: MOST_AT_ONCE,
        description: 'What became of those that were taken.',
      }),
      inHand: Type.Array(RelayId, {
        maxItems: MOST_IN_HAND,
        description:
          'Those that were taken and are not answered yet. What was taken and is not among them got lost on its way.',
      }),
      limit: Type.Integer({ minimum: 0, maximum: MOST_AT_ONCE, description: 'How many to take at most.' }),
    },
    { description: 'What whoever listens has to tell, and how much more it takes.' },
  ),
);

export const TakenRelays = named(
  'TakenRelays',
  closed(
    {
      data: Type.Array(Relay, {
        maxItems: MOST_AT_ONCE,
        description: 'Taken now, oldest first: nobody else gets them.',
      }),
      late: Type.Array(RelayId, {
        maxItems: MOST_AT_ONCE,
        description: 'Of the answers, those that came too late: their attempts are over.',
      }),
    },
    { description: 'What to send on.' },
  ),
);

export const exampleRelay: Relay = {
  id: 'rly_01j9z3v8k6e5t8m2n4p6q8r0sg',
  headers: { 'webhook-id': 'evt_01j9z3v8k6e5t8m2n4p6q8r0sb', 'slipway-attempt': '1' },
  body: '{"type":"ticket.created"}',
};

/** Returns the binding under which a request is sealed, so that no row can use the request of another one. */
export const relayBinding = (relayId: string): string => `relay:${relayId}`;
