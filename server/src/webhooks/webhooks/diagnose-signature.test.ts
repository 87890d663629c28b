// The signature diagnosis discloses nothing about an event that its server withholds from the app.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { secret } from '../../kit/crypto/secret.ts';
import { sign } from '../../kit/crypto/standard-webhooks.ts';
import { nowMs } from '../../kit/flow/clock.ts';

interface CreatedEndpoint {
  endpoint: { id: string };
  signingSecret: string;
}

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };
let created: CreatedEndpoint;
beforeAll(async () => {
  sandbox = await startSandbox();
});
beforeEach(async () => {
  app = await sandbox.newApp();
  key = await app.key();
  created = await add();
});
afterAll(() => sandbox.close());

const manage = <Body>(method: string, path: string, body?: unknown): Promise<Answer<Body>> =>
  sandbox.manage<Body>(method, `/apps/${app.id}${path}`, body);
const add = async (schemaVersions: object = {}): Promise<CreatedEndpoint> => {
  const settings = {
    url: 'https://bridge.example.org/',
    keyId: key.id,
    eventTypes: ['ticket.created'],
    schemaVersions,
  };
  return (await manage<CreatedEndpoint>('POST', '/endpoints', settings)).body;
};
const query = async <Row>(text: string, ...more: string[]): Promise<Row[]> =>
  (await sandbox.database.superuser.query(text, [fromId('app', app.id), ...more])).rows as Row[];
const setScope = (state: string): Promise<Answer> =>
  manage('PUT', `/servers/${app.serverIds[0]}/installation/scopes/tickets:create`, { state });

interface SentMessage {
  id: string;
  body: string;
  older: string[];
}
async function createEvent(): Promise<SentMessage> {
  const init = json({ subject: 's', body: 'a private text', requester: { name: 'Imke', reference: 'user-4711' } });
  expect((await sandbox.call(`/v1/servers/${app.serverIds[0]}/tickets`, key.token, init)).status).toBe(201);
  const [row] = await query<Omit<SentMessage, 'id'>>(
    "select body, older_bodies as older from events where app_id = $1 and type = 'ticket.created'",
  );
  return { id: JSON.parse(row?.body ?? '').id, body: row?.body ?? '', older: row?.older ?? [] };
}
const recordAttempt = (outcome: string, endpointId = created.endpoint.id) =>
  query(
    `insert into attempts (app_id, delivery_id, attempt_no, started_at, duration_us, outcome)
      select app_id, delivery_id, 1, now(), 1, $2 from deliveries where app_id = $1 and endpoint_id = $3`,
    outcome,
    fromId('whe', endpointId) ?? '',
  );

interface DiagnosisInput {
  body: string;
  /** The body that the signature covers. Without it, the signature is zeros. */
  signedBody?: string;
  by?: CreatedEndpoint;
}
async function diagnose(eventId: string, { body, signedBody, by = created }: DiagnosisInput): Promise<string[]> {
  const timestamp = Math.floor(nowMs() / 1000);
  const zeros = `v1,${Buffer.alloc(32).toString('base64')}`;
  const signature =
    signedBody === undefined ? zeros : sign([secret(by.signingSecret)], eventId, timestamp, Buffer.from(signedBody));
  const given = {
    bodyBase64: Buffer.from(body).toString('base64'),
    headers: { 'webhook-id': eventId, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature },
  };
  const path = `/apps/${app.id}/endpoints/${by.endpoint.id}/diagnose-signature`;
  const answer = await sandbox.manage<{ findings: { mistake: string }[] }>('POST', path, given, { role: 'viewer' });
  expect(answer.status).toBe(200);
  return answer.body.findings.map(({ mistake }) => mistake);
}

/** Guesses that a viewer could send without a valid signature: the whole event, a part of it and another form of it. */
const guessedBodies = ({ body }: SentMessage): string[] => [
  body,
  body.slice(0, body.length / 2),
  JSON.stringify(JSON.parse(body), null, 2),
  `${body}\n`,
  'x',
];
const diagnosesOf = (sent: SentMessage): Promise<string[][]> =>
  Promise.all(guessedBodies(sent).map((body) => diagnose(sent.id, { body })));
const UNKNOWN = Array.from({ length: 5 }, () => ['unknown_secret']);

describe('diagnosis without a valid signature', () => {
  test('compares nothing with an event that was never sent after its scope is revoked', async () => {
    const sent = await createEvent();
    await setScope('revoked');
    expect(await diagnosesOf(sent)).toEqual(UNKNOWN);
  });

  test('compares nothing with a withheld event whose only attempt failed to connect', async () => {
    const sent = await createEvent();
    await recordAttempt('connect');
    await setScope('revoked');
    expect(await diagnosesOf(sent)).toEqual(UNKNOWN);
  });

  test('compares nothing with a withheld event that only another endpoint received', async () => {
    const other = await add();
    const sent = await createEvent();
    await recordAttempt('response', other.endpoint.id);
    await setScope('revoked');
    expect(await diagnosesOf(sent)).toEqual(UNKNOWN);
  });

  test('gives the same result for a beginning of a granted event as for any other text', async () => {
    const sent = await createEvent();
    const [whole, half, spaced, , other] = await diagnosesOf(sent);
    expect(whole).toEqual(['unknown_secret']);
    expect([half, spaced, other]).toEqual(Array.from({ length: 3 }, () => ['body_differs', 'unknown_secret']));
  });
});

describe('diagnosis with a valid signature', () => {
  const mistakesIn = async (sent: SentMessage): Promise<string[]> => {
    const half = { body: sent.body.slice(0, sent.body.length / 2), signedBody: sent.body };
    const spaced = { body: JSON.stringify(JSON.parse(sent.body), null, 2), signedBody: sent.body };
    return [...(await diagnose(sent.id, half)), ...(await diagnose(sent.id, spaced))];
  };

  test('names a body that was cut or written again if the event is granted', async () => {
    expect(await mistakesIn(await createEvent())).toEqual(['body_truncated', 'body_reserialised']);
  });

  test('names a body that was cut or written again after a revocation if an attempt reached the endpoint', async () => {
    const sent = await createEvent();
    await recordAttempt('response');
    await setScope('revoked');
    expect(await mistakesIn(sent)).toEqual(['body_truncated', 'body_reserialised']);
  });

  test('knows only the sent schema version of a withheld event', async () => {
    const pinned = await add({ 'ticket.created': 1 });
    const sent = await createEvent();
    await recordAttempt('response', pinned.endpoint.id);
    const older = sent.older[0] ?? '';
    const half = (signedBody: string) => ({ body: signedBody.slice(0, 40), signedBody, by: pinned });
    expect(await diagnose(sent.id, half(sent.body))).toEqual(['body_truncated']);
    await setScope('revoked');
    expect(await diagnose(sent.id, half(older))).toEqual(['body_truncated']);
    expect(await diagnose(sent.id, half(sent.body))).toEqual(['body_differs', 'unknown_secret']);
  });
});
