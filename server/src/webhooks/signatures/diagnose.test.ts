// Makes each mistake as a receiver makes it. The diagnosis names the mistake and reveals no secret.
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { secret } from '../../kit/crypto/secret.ts';
import { createSigningSecret, sign } from '../../kit/crypto/standard-webhooks.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { type DiagnosedMessage, type DiagnosisContext, diagnose } from './diagnose.ts';
import { MISTAKES, type Mistake, toDiagnosis } from './diagnosis.ts';

const ID = 'evt_01j9z3v8k6e5t8m2n4p6q8r0sa';
const TIME = Math.floor(nowMs() / 1000);
const ENVELOPE = { id: ID, type: 'ticket.created', sequence: 1, data: { subject: 'Grüße & <b>👋</b>', price: 1.5 } };
const BODY = Buffer.from(JSON.stringify(ENVELOPE));
const [current, previous, others, erased] = [1, 2, 3, 4].map(createSigningSecret) as [Secret, Secret, Secret, Secret];
type Secret = ReturnType<typeof createSigningSecret>;
const OTHER = 'whe_01j9z3v8k6e5t8m2n4p6q8r0s9';
const known: DiagnosisContext = {
  secret: current,
  previous,
  others: [{ endpointId: OTHER, secret: others }],
  sent: [BODY, Buffer.from('{"schemaVersion":1}')],
};

/** Returns a received message that these secrets signed. */
function arrived(
  by: readonly Secret[] = [current, previous],
  changes: Partial<DiagnosedMessage> = {},
): DiagnosedMessage {
  return {
    body: BODY,
    headers: {
      'Content-Type': 'application/json',
      'Webhook-Id': ID,
      'Webhook-Timestamp': String(TIME),
      'Webhook-Signature': sign(by, ID, TIME, BODY),
      'Slipway-Delivery-Id': 'dlv_01j9z3v8k6e5t8m2n4p6q8r0s9',
    },
    receivedAtMs: (TIME + 1) * 1000,
    computed: undefined,
    ...changes,
  };
}
const signature = sign([current], ID, TIME, BODY);
const mac = Buffer.from(signature.slice(3), 'base64');
const body = (changed: Buffer | string): DiagnosedMessage => arrived(undefined, { body: Buffer.from(changed) });
const without = (name: string): DiagnosedMessage => {
  const { [name]: _gone, ...headers } = arrived().headers;
  return { ...arrived(), headers };
};
const header = (name: string, value: string): DiagnosedMessage => ({
  ...arrived(),
  headers: { ...arrived().headers, [name]: value },
});
/** Returns a message with the signature that the receiver computed. */
const computed = (text: string, signers = [current]): DiagnosedMessage => arrived(signers, { computed: text });
const hmac = (key: string | Buffer, content: string): string =>
  `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
const content = `${ID}.${TIME}.${BODY}`;
const text = current.reveal();
const encoded = text.replace('whsec_', '');
const keyOf = (one: Secret): Buffer => Buffer.from(one.reveal().slice(6), 'base64');

const MADE: [string, DiagnosedMessage, Mistake[]][] = [
  ['the id is not handed on', without('Webhook-Id'), ['missing_header']],
  ['the timestamp is not handed on', without('Webhook-Timestamp'), ['missing_header']],
  ['an empty signature', header('Webhook-Signature', ' '), ['missing_header']],
  [
    'the names that WSGI gives',
    {
      ...arrived(),
      headers: {
        HTTP_WEBHOOK_ID: ID,
        HTTP_WEBHOOK_TIMESTAMP: String(TIME),
        HTTP_WEBHOOK_SIGNATURE: signature,
      },
    },
    ['wrong_header'],
  ],
  ['the timestamp in milliseconds', header('Webhook-Timestamp', String(TIME * 1000)), ['malformed_timestamp']],
  [
    'the timestamp as a date',
    header('Webhook-Timestamp', new Date(TIME * 1000).toISOString()),
    ['malformed_timestamp'],
  ],
  ['a clock that is late', arrived(undefined, { receivedAtMs: (TIME - 301) * 1000 }), ['clock_outside_tolerance']],
  ['a clock that is early', arrived(undefined, { receivedAtMs: (TIME + 301) * 1000 }), ['clock_outside_tolerance']],
  ['the signature of another scheme', header('Webhook-Signature', `t=${TIME},s=x`), ['malformed_signature']],
  ['the version taken off the header', header('Webhook-Signature', signature.slice(3)), ['version_prefix_missing']],
  ['the header in hex', header('Webhook-Signature', `v1,${mac.toString('hex')}`), ['signature_in_hex']],
  ['an older secret', arrived([previous]), ['older_secret']],
  ['a secret that is erased', arrived([erased]), ['unknown_secret']],
  ["another endpoint's message", arrived([others]), ['another_endpoints_secret']],
  ['a body that a parser used up', body(''), ['body_empty']],
  ['JSON with spaces', body(JSON.stringify(ENVELOPE, null, 2)), ['body_reserialised']],
  ['JSON as Python writes it', body(JSON.stringify(ENVELOPE).replaceAll('":', '": ')), ['body_reserialised']],
  [
    'JSON in ASCII',
    body(
      JSON.stringify(ENVELOPE).replaceAll(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ),
    ['body_reserialised'],
  ],
  [
    'JSON in another order',
    body(JSON.stringify(Object.fromEntries(Object.entries(ENVELOPE).reverse()))),
    ['body_reserialised'],
  ],
  ['a line break at the end', body(`${BODY}\n`), ['body_whitespace']],
  ['a byte order mark', body(`\ufeff${BODY}`), ['body_encoded']],
  ['a body in base64, as some gateways hand it on', body(BODY.toString('base64')), ['body_encoded']],
  ['a body as a string of JSON', body(JSON.stringify(BODY.toString())), ['body_encoded']],
  ['a body in percent-encoding', body(encodeURIComponent(BODY.toString())), ['body_encoded']],
  [
    "str() of Python's bytes",
    body(`b'${BODY.toString('latin1').replaceAll(/[^ -~]/g, (one) => `\\x${one.charCodeAt(0).toString(16)}`)}'`),
    ['body_encoded'],
  ],
  ['UTF-8 read as Latin-1', body(BODY.toString('latin1')), ['body_encoded']],
  ['UTF-16', body(Buffer.from(BODY.toString(), 'utf16le')), ['body_encoded']],
  ['a truncated body', body(BODY.subarray(0, 40)), ['body_truncated']],
  ["another message's body", body('{"schemaVersion":2}'), ['body_differs']],
  [
    'an additional space, signed with an erased secret',
    { ...body(`${BODY} `), headers: arrived([erased]).headers },
    ['body_whitespace', 'unknown_secret'],
  ],
  ['the text of the secret as the key', computed(hmac(encoded, content)), ['secret_as_text']],
  ['the whole text as the key', computed(hmac(text, content)), ['secret_prefix_kept', 'secret_as_text']],
  ['the whole text decoded', computed(hmac(Buffer.from(text, 'base64'), content)), ['secret_prefix_kept']],
  ['the body alone', computed(hmac(keyOf(current), BODY.toString())), ['content_wrong']],
  ['time and body, as another service signs', computed(hmac(keyOf(current), `${TIME}.${BODY}`)), ['content_wrong']],
  [
    "the delivery's id in place of the message's",
    computed(hmac(keyOf(current), `dlv_01j9z3v8k6e5t8m2n4p6q8r0s9.${TIME}.${BODY}`)),
    ['content_wrong'],
  ],
  ['a signature in hex', computed(`v1,${mac.toString('hex')}`), ['signature_in_hex']],
  ['a signature without the version', computed(signature.slice(3)), ['version_prefix_missing']],
  ['one signature for a header with two', computed(signature, [current, previous]), ['signatures_not_split']],
  ['a signature with the older secret', computed(hmac(keyOf(previous), content)), ['older_secret']],
  ["a signature with another endpoint's secret", computed(hmac(keyOf(others), content)), ['another_endpoints_secret']],
  ['a signature with an erased secret', computed(hmac(keyOf(erased), content)), ['unknown_secret']],
  ['a value that is not a signature', computed('true'), ['malformed_signature']],
  [
    'four mistakes together',
    computed(createHmac('sha256', text).update(BODY).digest('hex')),
    ['secret_prefix_kept', 'secret_as_text', 'content_wrong', 'signature_in_hex'],
  ],
];

const mistakesOf = (message: DiagnosedMessage, of = known): Mistake[] =>
  diagnose(message, of).map(({ mistake }) => mistake);

/** Returns whether the public library accepts the message with any valid secret. */
function libraryAccepts({ body: raw, headers }: DiagnosedMessage): boolean {
  return [current, previous].some((one) => {
    try {
      new Webhook(one.reveal()).verify(raw, { ...headers }, { jsonParse: false });
      return true;
    } catch {
      return false;
    }
  });
}

describe('a message', () => {
  test.each([
    ['signed by one secret', arrived([current])],
    ['signed by two', arrived()],
    ['whose signature the receiver computed too', computed(signature)],
    ['at the edge of the tolerance', arrived(undefined, { receivedAtMs: (TIME + 300) * 1000 })],
    ['without a time of receipt', arrived(undefined, { receivedAtMs: undefined })],
  ])('a message verifies: %s', (_, message) => {
    expect([mistakesOf(message), libraryAccepts(message)]).toEqual([[], true]);
  });

  test('the example of the specification verifies, for an unknown event', () => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const message = {
      body: Buffer.from('{"test": 2432232314}'),
      headers,
      receivedAtMs: undefined,
      computed: undefined,
    };
    const of = { ...known, secret: secret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'), sent: [] };
    expect(mistakesOf(message, of)).toEqual([]);
    // Whitespace is not part of a JSON value: serialised again, the text differs.
    expect(mistakesOf({ ...message, body: Buffer.from('{"test":2432232314}') }, of)).toEqual(['unknown_secret']);
    const spaced = { ...message, body: Buffer.from('{"test": 2432232314}\n') };
    expect(mistakesOf(spaced, of)).toEqual(['body_whitespace']);
  });
});

describe('mistake', () => {
  test.each(MADE)('names the mistake: %s', (_, message, mistakes) => {
    expect(mistakesOf(message)).toEqual(mistakes);
    // The library does not judge what a receiver computed. For all other messages, with a correct clock, it comes to
    // the same result.
    if (message.computed === undefined && !mistakes.includes('clock_outside_tolerance')) {
      expect(libraryAccepts(message)).toBe(mistakes.includes('older_secret'));
    }
  });

  test('every mistake of the table is tested', () => {
    expect(new Set(MADE.flatMap(([, , mistakes]) => mistakes))).toEqual(new Set(Object.keys(MISTAKES)));
  });

  test.each(
    MADE.filter(([, , [mistake]]) => mistake === 'body_whitespace' || mistake === 'body_encoded').filter(
      ([, , mistakes]) => mistakes.length === 1,
    ),
  )('names the mistake without knowing the event: %s', (_, message, mistakes) => {
    expect(mistakesOf(message, { ...known, sent: [] })).toEqual(mistakes);
  });

  test('names the endpoint whose secret signed the message', () => {
    const [finding] = toDiagnosis(diagnose(arrived([others]), known)).findings;
    expect(finding).toMatchObject({ mistake: 'another_endpoints_secret', endpointId: OTHER });
  });
});

describe('diagnosis of a signature that no secret explains', () => {
  const unsigned = (given: Buffer | string): DiagnosedMessage => ({
    ...body(given),
    headers: arrived([erased]).headers,
  });
  const answerTo = (given: Buffer | string): string => JSON.stringify(toDiagnosis(diagnose(unsigned(given), known)));

  test('gives the same result for every beginning of the event as for any other text', () => {
    const other = answerTo('x');
    expect(JSON.parse(other).findings.map(({ mistake }: { mistake: Mistake }) => mistake)).toEqual([
      'body_differs',
      'unknown_secret',
    ]);
    for (let length = 1; length < BODY.length; length++) expect(answerTo(BODY.subarray(0, length))).toBe(other);
  });

  test('gives the same result for the same JSON in another form as for any other text', () => {
    expect(answerTo(JSON.stringify(ENVELOPE, null, 2))).toBe(answerTo('x'));
  });

  test.each(['', `${BODY}\n`])('names a mistake that needs no comparison of parts', (given) => {
    expect(mistakesOf(unsigned(given))).toEqual([given === '' ? 'body_empty' : 'body_whitespace', 'unknown_secret']);
  });
});

test('no result contains a secret or a signature', () => {
  const macs = [current, previous, others].map((one) => createHmac('sha256', keyOf(one)).update(content).digest());
  const secrets = [current, previous, others].flatMap((one) => [one.reveal().slice(6), keyOf(one).toString('hex')]);
  const hidden = [...secrets, ...macs.flatMap((one) => [one.toString('base64'), one.toString('hex')])];
  for (const [, message] of MADE) {
    const answer = JSON.stringify(toDiagnosis(diagnose(message, known)));
    expect(hidden.filter((one) => answer.includes(one))).toEqual([]);
  }
});

test('every input gets a result, which is positive only if the public library accepts the message', () => {
  const odd = fc.oneof(fc.string(), fc.constantFrom(String(TIME), ID, signature, '__proto__', 'v1,', '9'.repeat(400)));
  const names = fc.oneof(
    fc.string(),
    fc.constantFrom('webhook-id', 'webhook-timestamp', 'webhook-signature', 'svix-id'),
  );
  const headers = fc.dictionary(names, odd, { noNullPrototype: true });
  const nested = fc.constant('['.repeat(20_000));
  const bodies = fc.oneof(fc.string({ unit: 'binary' }), nested, fc.constant(BODY.toString()));
  const law = (given: Record<string, string>, raw: string, own: string | undefined): void => {
    const message = { body: Buffer.from(raw), headers: given, receivedAtMs: undefined, computed: own };
    const { verifies, findings } = toDiagnosis(diagnose(message, known));
    if (verifies) expect(libraryAccepts(message)).toBe(true);
    expect(findings.every(({ detail }) => detail !== '' && detail.length <= 500)).toBe(true);
  };
  fc.assert(fc.property(headers, bodies, fc.option(odd, { nil: undefined }), law), { numRuns: 60 });
});
