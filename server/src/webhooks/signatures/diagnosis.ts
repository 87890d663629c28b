// The mistakes that make a receiver refuse a genuine message, with their corrections, and the schemas of the diagnosis.
import { closed, idSchema, moment, named, nullable, oneOf, type Static, Type, text } from '../../kit/http/schema.ts';

/** The correction for each mistake. */
export const MISTAKES = {
  missing_header: 'Verify with the headers of the request as they arrived; a proxy in between must hand them all on.',
  wrong_header: 'Read webhook-id, webhook-timestamp and webhook-signature, in whichever case your server writes them.',
  malformed_timestamp: 'Use the text of webhook-timestamp as it is: whole seconds since 1970.',
  clock_outside_tolerance:
    'Set the clock of your machine by NTP, verify at once on arrival, and allow five minutes to both sides.',
  malformed_signature:
    'Hand on the text of webhook-signature as it is: `v1,` and base64, several of them separated by spaces.',
  version_prefix_missing: 'Compare with `v1,` in front on both sides, or take it off on both.',
  signature_in_hex: 'Write the HMAC in base64, not in hex, before you compare; or compare its bytes.',
  signatures_not_split:
    'Split webhook-signature at the spaces and accept the message when one of them is yours: during a rotation there are two.',
  older_secret: 'Verify with both secrets until the overlap of the rotation is over.',
  another_endpoints_secret: 'Use the secret of the endpoint that the message was sent to: each has its own.',
  unknown_secret: 'Reveal the secret of this endpoint and set it anew, without spaces or line breaks around it.',
  secret_as_text: 'Decode what comes after `whsec_` from base64: the bytes are the key, not the text.',
  secret_prefix_kept: 'Take `whsec_` off the secret, and decode the rest from base64.',
  content_wrong: 'Sign `<webhook-id>.<webhook-timestamp>.<body>`: the two headers, the dots, and the raw body.',
  body_empty: 'Read the body before anything else does: a parser in front of your code has used it up.',
  body_reserialised: 'Verify over the raw bytes, before they are parsed: JSON that is written again differs.',
  body_whitespace: 'Verify over the raw bytes: do not trim them, and add no line break.',
  body_encoded: 'Verify over the raw bytes: do not decode, convert, quote or wrap them.',
  body_truncated: 'Read the whole body: as many bytes as content-length says.',
  body_differs: 'Keep headers and body of one request together: these do not belong to each other.',
} as const;
export type Mistake = keyof typeof MISTAKES;
const CODES = Object.keys(MISTAKES) as [Mistake, ...Mistake[]]; // the keys of the table above

export interface Finding {
  mistake: Mistake;
  /** The observation. Never a secret, a signature, or a value that only a holder of the secret can compute. */
  detail: string;
  /** The endpoint of the secret, if it is another endpoint. */
  endpointId?: string;
}

// 64 KiB in base64. The body is hashed about 300 times, which blocks all other requests.
const MAX_BODY_CHARACTERS = 87_384;
const BASE64_PATTERN = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';

export const ReceivedMessage = named(
  'ReceivedMessage',
  closed(
    {
      bodyBase64: text('The body, byte for byte as your code verifies it, in base64.', {
        maxLength: MAX_BODY_CHARACTERS,
        pattern: BASE64_PATTERN,
        examples: ['eyJ0ZXN0IjogMjQzMjIzMjMxNH0='],
      }),
      headers: Type.Record(
        Type.String({ pattern: '^[A-Za-z0-9_.-]{1,100}$' }),
        text('Its value.', { maxLength: 4_096 }),
        {
          maxProperties: 100,
          additionalProperties: false,
          description: 'The headers as your code has them, by name.',
        },
      ),
      receivedAt: Type.Optional(moment('What your clock said; without it the clock is not judged.')),
      computedSignature: Type.Optional(
        text('What your code computed. From it mistakes in computing are known.', { maxLength: 500 }),
      ),
    },
    { description: 'A message as a receiver got it. Nothing of it is kept.' },
  ),
);

export const Diagnosis = named(
  'SignatureDiagnosis',
  closed(
    {
      verifies: Type.Boolean({ description: 'Whether a receiver without a mistake accepts it.' }),
      findings: Type.Array(
        closed(
          {
            mistake: oneOf(CODES, 'Which mistake was made.'),
            detail: text('What was seen.', { maxLength: 500 }),
            mend: text('What to do.', { maxLength: 500 }),
            endpointId: nullable(idSchema('whe', 'The endpoint whose secret it is, where that is another one.')),
          },
          { description: 'A mistake.' },
        ),
        { maxItems: CODES.length, description: 'The mistakes; none when it verifies.' },
      ),
    },
    { description: 'Why a message does not verify.' },
  ),
);
export type Diagnosis = Static<typeof Diagnosis>;

export function toDiagnosis(findings: readonly Finding[]): Diagnosis {
  return {
    verifies: findings.length === 0,
    findings: findings.map(({ mistake, detail, endpointId = null }) => ({
      mistake,
      detail,
      mend: MISTAKES[mistake],
      endpointId,
    })),
  };
}

export const exampleMessage: Static<typeof ReceivedMessage> = {
  bodyBase64: 'eyJ0ZXN0IjogMjQzMjIzMjMxNH0=',
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  receivedAt: '2021-02-25T15:02:11.000Z',
  computedSignature: '83484cf52b04f8e4cf2531adfed9882ad4b2665137b852442d594d20e2c9d4e1',
};

export const exampleDiagnosis: Diagnosis = toDiagnosis([
  { mistake: 'signature_in_hex', detail: 'Your code wrote what it computed in hex.' },
]);
