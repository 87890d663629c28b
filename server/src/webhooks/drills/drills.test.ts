// The receiver drill end to end. The drill distinguishes a correct receiver from receivers with one fault each. Its
// messages cannot be misused, and it stops when deliveries would.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestApp } from '../../../test/app.ts';
import {
  EXPECTED_OUTCOMES,
  FAULTS,
  FORGERIES,
  type Message,
  type ReceiverFault,
} from '../../../test/drill-receivers.ts';
import { type DrillSandbox, startDrillSandbox } from '../../../test/drills.fixture.ts';
import { until } from '../../../test/harness.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { secret } from '../../kit/crypto/secret.ts';
import { sign } from '../../kit/crypto/standard-webhooks.ts';
import { schemaErrors } from '../../kit/http/schema.ts';
import { DELIVERY_HEADERS } from '../webhooks/index.ts';
import type { Drill, DrillDetail } from './drill.ts';

let drillSandbox: DrillSandbox;
beforeAll(async () => {
  drillSandbox = await startDrillSandbox();
});
afterAll(() => drillSandbox.close());

/** Returns the verdicts other than `passed`. */
const unpassedVerdicts = ({ steps }: DrillDetail): Record<string, string | null> =>
  Object.fromEntries(steps.filter((step) => step.verdict !== 'passed').map((step) => [step.name, step.verdict]));

describe('receivers with one fault each', () => {
  const reports = new Map<ReceiverFault, DrillDetail>();
  const sent = new Map<ReceiverFault, { messages: Message[]; secret: string }>();
  let app: TestApp;

  beforeAll(async () => {
    const running: [ReceiverFault, TestApp, string][] = [];
    for (const [index, fault] of FAULTS.entries()) {
      if (index % 5 === 0) app = await drillSandbox.sandbox.newApp();
      const { held, ...receiver } = drillSandbox.receivers.faulty(fault);
      const endpoint = await drillSandbox.addEndpoint(app, (await app.key()).id, receiver.url);
      held.secret = endpoint.secret;
      sent.set(fault, { messages: receiver.received, secret: endpoint.secret });
      const made = await drillSandbox.start({ app, endpointId: endpoint.endpointId });
      expect(made.status).toBe(202);
      running.push([fault, app, made.body.id]);
    }
    for (const [fault, of, id] of running) reports.set(fault, await drillSandbox.ended(of, id));
  }, 30_000);

  function reportOf(fault: ReceiverFault): DrillDetail {
    const report = reports.get(fault);
    if (!report) throw new Error(`There is no report of ${fault}.`);
    return report;
  }

  test.each(
    Object.entries(EXPECTED_OUTCOMES) as [ReceiverFault, Record<string, string>][],
  )('finds the fault of a receiver: %s', (fault, expected) => {
    const report = reportOf(fault);
    expect([report.status, unpassedVerdicts(report)]).toEqual(['completed', expected]);
    for (const { verdict, fix } of report.steps) expect(fix === null).toBe(verdict === 'passed');
  });

  test('sends nothing else to a receiver that refuses a correct message, because it would pass every refusal', () => {
    const report = reportOf('refuses_everything');
    expect(report.summary).toEqual({ passed: 0, failed: 1, unseen: 0, notSent: 11 });
    expect(sent.get('refuses_everything')?.messages).toHaveLength(1);
  });

  test('reports response and duration of each message, with a summary', () => {
    const { steps, summary, progress, ...report } = reportOf('accepts_everything');
    expect(summary).toEqual({ passed: 8, failed: 4, unseen: 0, notSent: 0 });
    expect(progress).toEqual({ done: 12, total: 12 });
    expect(report.finishedAt).not.toBeNull();
    const requests = steps.flatMap((step) => step.requests);
    expect(requests.map(({ sequence }) => sequence)).toEqual([1, 1, 1, 1, 1, 1, 2, 1, 2, 4, 1, 3, 1, 2, 1, 1, 1, 1, 1]);
    for (const request of requests) {
      expect(request).toMatchObject({ outcome: 'response', status: 204, detail: null, answer: '' });
      expect(request.durationMs).toBeGreaterThan(0);
    }
    const got = sent.get('accepts_everything')?.messages ?? [];
    expect(new Set(got.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer of the receiver']));
    // Each message arrived once, although two workers look for drills.
    const ids = got.map(({ headers }) => headers['webhook-id']);
    expect(ids.toSorted()).toEqual(requests.map(({ webhookId }) => webhookId).toSorted());
    expect(new Set(ids).size).toBe(17); // two events are sent twice
  });

  test('a drill makes no event of the app and no delivery, and does not change the endpoint', async () => {
    expect(await drillSandbox.rows('select type from events')).toEqual([]);
    expect(await drillSandbox.rows('select from deliveries')).toEqual([]);
    expect(await drillSandbox.rows('select disabled_reason from endpoints where state <> $1', ['enabled'])).toEqual([]);
  });

  test('messages signed by the endpoint’s secret are marked as a drill, and none is dated in the future', () => {
    for (const [fault, { messages, secret: signingSecret }] of sent) {
      const genuine = messages.filter(({ headers, body }) => {
        const [id, timestamp] = [String(headers['webhook-id']), Number(headers['webhook-timestamp'])];
        const own = sign([secret(signingSecret)], id, timestamp, body);
        return String(headers['webhook-signature']).split(' ').includes(own);
      });
      // All messages except those that must never verify.
      expect([fault, genuine.length]).toEqual([fault, fault === 'refuses_everything' ? 1 : 16]);
      for (const { headers, body } of genuine) {
        const event = JSON.parse(body);
        expect([event.type, event.subject.type, event.id]).toEqual(['drill', 'drill', headers['webhook-id']]);
        expect(schemaErrors(DELIVERY_HEADERS['slipway-trigger'].schema, headers['slipway-trigger'])).toEqual([]);
        expect(Number(headers['webhook-timestamp'])).toBeLessThanOrEqual(Date.now() / 1000);
      }
    }
    const stale = sent
      .get('none')
      ?.messages.filter(({ headers }) => Date.now() / 1000 - Number(headers['webhook-timestamp']) > 3_000);
    expect(stale?.map(({ body }) => JSON.parse(body).data.step)).toEqual(['stale_timestamp']);
  });
});

describe('a drill', () => {
  let app: TestApp;
  let keyId: string;
  beforeAll(async () => {
    app = await drillSandbox.sandbox.newApp();
    keyId = (await app.key()).id;
  });

  /**
   * Returns an endpoint whose receiver accepts every message. From the given message on it waits before each response.
   */
  async function hanging(from: number, of = keyId) {
    const gates: (() => void)[] = [];
    let isOpen = false;
    const receiver = drillSandbox.receivers.open(async (_, index) => {
      if (index >= from && !isOpen) await new Promise<void>((resolve) => gates.push(resolve));
      return { status: 204 };
    });
    function answerAll(): void {
      isOpen = true;
      for (const answer of gates) answer();
    }
    return {
      app,
      received: receiver.received,
      gates,
      answerAll,
      ...(await drillSandbox.addEndpoint(app, of, receiver.url)),
    };
  }

  test('runs once at a time per endpoint, is listed and audited, and shows its progress', async () => {
    const endpoint = await hanging(1);
    const first = await drillSandbox.start(endpoint);
    expect(first.body).toMatchObject({ status: 'running', progress: { done: 0, total: 12 } });
    const second = await drillSandbox.start(endpoint);
    expect([second.status, second.body.code, second.body.detail]).toEqual([
      409,
      'conflict',
      'A drill of the endpoint is already running. Wait until it ends.',
    ]);
    await until(() => endpoint.received.length === 2);
    const seen = await drillSandbox.read(app, first.body.id);
    expect(seen).toMatchObject({ status: 'running', progress: { done: 1 }, summary: { passed: 1 } });
    const list = await drillSandbox.sandbox.manage<{ data: Drill[] }>(
      'GET',
      `/apps/${app.id}/endpoints/${endpoint.endpointId}/drills`,
    );
    const { steps: _, ...listed } = seen;
    expect(list.body.data).toEqual([listed]);
    const audited = await drillSandbox.rows(
      "select target, detail from audit_entries where action = 'endpoint.drill' and target = $1",
      [endpoint.endpointId],
    );
    expect(audited).toEqual([{ target: endpoint.endpointId, detail: { drillId: first.body.id } }]);
    await drillSandbox.sandbox.manage('DELETE', `/apps/${app.id}/endpoints/${endpoint.endpointId}`);
    expect((await drillSandbox.sandbox.manage('GET', `/apps/${app.id}/drills/${first.body.id}`)).status).toBe(404);
    // Its drill was deleted, and sends nothing more.
    endpoint.answerAll();
    await until(() => drillSandbox.receivers.connections() === 0);
    expect(endpoint.received).toHaveLength(2);
  });

  test('is stopped by a revocation: hanging requests are off the wire at its response, and no other request begins', async () => {
    const revoked = await app.key();
    const endpoints = [await hanging(1, revoked.id), await hanging(4, revoked.id)];
    const ids = await Promise.all(endpoints.map(async (one) => (await drillSandbox.start(one)).body.id));
    // One or both of the second drill's concurrent messages have arrived.
    const seen = (which: number): number => endpoints[which]?.received.length ?? 0;
    await until(() => seen(0) === 2 && seen(1) >= 5);
    expect((await drillSandbox.sandbox.manage('POST', `/apps/${app.id}/keys/${revoked.id}/revoke`)).status).toBe(200);
    const counts = endpoints.map(({ received }) => received.length);
    const reports = await Promise.all(ids.map((id) => drillSandbox.ended(app, id)));
    expect(reports.map(({ status, reason }) => [status, reason])).toEqual([
      ['stopped', 'key_revoked'],
      ['stopped', 'key_revoked'],
    ]);
    // An interrupted step has no verdict.
    expect(reports.map(({ progress }) => progress.done)).toEqual([1, 3]);
    expect(endpoints.map(({ received }) => received.length)).toEqual(counts);
  });

  test('is refused for an endpoint that may not receive requests', async () => {
    const revoked = await app.key();
    const endpoint = await hanging(99, revoked.id);
    await drillSandbox.sandbox.manage('POST', `/apps/${app.id}/keys/${revoked.id}/revoke`);
    expect((await drillSandbox.start(endpoint)).body).toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('key_revoked'),
    });
    const disabled = await hanging(99);
    await drillSandbox.rows("update endpoints set state = 'disabled', disabled_reason = 'x' where endpoint_id = $1", [
      fromId('whe', disabled.endpointId),
    ]);
    expect((await drillSandbox.start(disabled)).body.code).toBe('conflict');
    expect(
      (await drillSandbox.start({ app: await drillSandbox.sandbox.newApp(), endpointId: disabled.endpointId })).status,
    ).toBe(404);
    expect([endpoint, disabled].map(({ received }) => received.length)).toEqual([0, 0]);
  });

  test('continues at the step that its dead worker did not save, and later results of that worker are ignored', async () => {
    const endpoint = await hanging(3);
    const { id } = (await drillSandbox.start(endpoint)).body;
    const uuid = fromId('drl', id);
    await until(() => endpoint.gates.length === 1);
    // Its claim expires while it waits for a response.
    await drillSandbox.rows('update drills set due_at = now() where drill_id = $1', [uuid]);
    await until(() => endpoint.gates.length === 2);
    endpoint.gates[0]?.();
    await until(() => drillSandbox.receivers.connections() === 1);
    expect(await drillSandbox.read(app, id)).toMatchObject({ status: 'running', progress: { done: 2 } });
    endpoint.answerAll();
    expect(unpassedVerdicts(await drillSandbox.ended(app, id))).toMatchObject(FORGERIES);
    expect(endpoint.received).toHaveLength(21);
    const stepsSent = endpoint.received.map(({ body }) => JSON.parse(body).data.step);
    // Only the step that was not saved was run again.
    expect(stepsSent.filter((step) => step === 'duplicates')).toHaveLength(4);
  });

  test('a drill respects the rate of its endpoint', async () => {
    const endpoint = await hanging(99);
    await drillSandbox.sandbox.manage('PATCH', `/apps/${app.id}/endpoints/${endpoint.endpointId}`, {
      ratePerSecond: 25,
    });
    const { id } = await drillSandbox.ended(app, (await drillSandbox.start(endpoint)).body.id);
    expect(endpoint.received).toHaveLength(19);
    // Each message takes a token, a full bucket has two tokens beyond the first, and no token is used early.
    const [kept] = await drillSandbox.rows(
      `select paced_until >= created_at + 17 * interval '40 ms' as are_all_taken,
         finished_at >= paced_until - interval '40 ms' as were_waited_for
       from endpoint_health join drills using (app_id, endpoint_id) where drill_id = $1`,
      [fromId('drl', id)],
    );
    expect(kept).toEqual({ are_all_taken: true, were_waited_for: true });
  });

  test('only the latest twenty drills of an endpoint are kept', async () => {
    const endpoint = await hanging(0);
    const appId = fromId('app', app.id);
    await drillSandbox.rows(
      `insert into drills (app_id, drill_id, endpoint_id, steps, status, finished_at, created_by)
       select $1, gen_random_uuid(), $2, '[]', 'completed', now(), 'a test' from generate_series(1, 30)`,
      [appId, fromId('whe', endpoint.endpointId)],
    );
    expect((await drillSandbox.start(endpoint)).status).toBe(202);
    const kept = await drillSandbox.rows('select from drills where endpoint_id = $1', [
      fromId('whe', endpoint.endpointId),
    ]);
    expect(kept).toHaveLength(20);
    endpoint.answerAll();
  });
});
