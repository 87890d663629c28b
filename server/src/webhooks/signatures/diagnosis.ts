// The mistakes that make a receiver refuse a genuine message, with their corrections, and the schemas of the diagnosis.
import {
  dateTime,
  describedObject,
  idSchema,
  namedObject,
  nullable,
  oneOf,
  type Static,
  Type,
  text,
} from '../../kit/http/schema.ts';

/** The correction for each mistake. */
export const MISTAKES = {
  missing_header:
    'Verify with the original headers of the request. A proxy in front of your code must forward all of them.',
  wrong_header: 'Read webhook-id, webhook-timestamp and webhook-signature. Header names are case-insensitive.',
  malformed_timestamp: 'Use the unchanged text of webhook-timestamp: whole seconds since 1970.',
  clock_outside_tolerance:
    'Synchronise your clock by NTP, verify each message when it arrives, and allow five minutes in both directions.',
  malformed_signature:
    'Use the unchanged text of webhook-signature: one or more signatures, separated by spaces. Each is `v1,` and base64.',
  version_prefix_missing: 'Compare both signatures with the prefix `v1,`, or both without it.',
  signature_in_hex: 'Encode the HMAC in base64, not in hex, before you compare it. You can also compare the bytes.',
  signatures_not_split:
    'Split webhook-signature at the spaces, and accept the message if one signature is yours. During a rotation there are two.',
  older_secret: 'Verify with both secrets until the rotation’s overlap ends.',
  another_endpoints_secret:
    'Use the secret of the endpoint that the message was sent to. Each endpoint has its own secret.',
  unknown_secret:
    'Reveal the secret of this endpoint and configure it again, without leading or trailing spaces or line breaks.',
  secret_as_text: 'Decode the part after `whsec_` from base64. The bytes are the key, not the text.',
  secret_prefix_kept: 'Remove `whsec_` from the secret, and decode the rest from base64.',
  content_wrong: 'Sign `<webhook-id>.<webhook-timestamp>.<body>`: the two headers, the dots, and the raw body.',
  body_empty: 'Read the raw body before a parser consumes it.',
  body_reserialised: 'Verify the raw bytes before you parse them. Reserialised JSON has different bytes.',
  body_whitespace: 'Verify the raw bytes. Do not trim them, and do not add a line break.',
  body_encoded: 'Verify the raw bytes. Do not decode, convert, quote or wrap them.',
  body_truncated: 'Read the whole body, up to the length in content-length.',
  body_differs: 'Verify the headers and the body of the same request. These do not belong together.',
} as const;
export type Mistake = keyof typeof MISTAKES;
const CODES = Object.keys(MISTAKES) as [Mistake, ...Mistake[]]; // the keys of the table above

export interface SignatureFinding {
  mistake: Mistake;
  /** The observation. Never a secret, a signature, or a value that only a holder of the secret can compute. */
  detail: string;
  /** The endpoint of the secret, if it is another endpoint. */
  endpointId?: string;
}

// 64 KiB in base64. The body is hashed about 300 times, which blocks all other requests.
const MAX_BODY_CHARACTERS = 87_384;
const BASE64_PATTERN = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';

export const ReceivedMessage = namedObject('ReceivedMessage', 'A message as a receiver got it. It is not stored.', {
  bodyBase64: text('The body, byte for byte as your code verifies it, in base64.', {
    maxLength: MAX_BODY_CHARACTERS,
    pattern: BASE64_PATTERN,
    examples: ['eyJ0ZXN0IjogMjQzMjIzMjMxNH0='],
  }),
  headers: Type.Record(
    Type.String({ pattern: '^[A-Za-z0-9_.-]{1,100}$' }),
    text('The header’s value.', { maxLength: 4_096 }),
    {
      maxProperties: 100,
      additionalProperties: false,
      description: 'The headers as your code received them, by name.',
    },
  ),
  receivedAt: Type.Optional(
    dateTime('The time on your clock when the message arrived. Without this time the clock is not checked.'),
  ),
  computedSignature: Type.Optional(
    text('The signature that your code computed. Detects mistakes in how you compute the signature.', {
      maxLength: 500,
    }),
  ),
});

export const Diagnosis = namedObject('SignatureDiagnosis', 'The reasons why a message does not verify.', {
  verifies: Type.Boolean({ description: 'True if a correct receiver accepts the message.' }),
  findings: Type.Array(
    describedObject('A mistake.', {
      mistake: oneOf(CODES, 'The code of the mistake.'),
      detail: text('The observation.', { maxLength: 500 }),
      fix: text('How to fix the mistake.', { maxLength: 500 }),
      endpointId: nullable(idSchema('whe', 'The endpoint of the secret, if it is another endpoint; otherwise null.')),
    }),
    { maxItems: CODES.length, description: 'The mistakes. Empty if the message verifies.' },
  ),
});
export type Diagnosis = Static<typeof Diagnosis>;

export function toDiagnosis(findings: readonly SignatureFinding[]): Diagnosis {
  return {
    verifies: findings.length === 0,
    findings: findings.map(({ mistake, detail, endpointId = null }) => ({
      mistake,
      detail,
      fix: MISTAKES[mistake],
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
  { mistake: 'signature_in_hex', detail: 'Your code encoded the signature in hex.' },
]);
