// A sandbox with two workers that run drills, and receivers on loopback.
import { expect } from 'vitest';
import { fromId } from '../src/kit/crypto/ids.ts';
import { createOutboundClient } from '../src/kit/outbound/outbound.ts';
import { startDispatcher } from '../src/webhooks/dispatch/index.ts';
import type { DrillDetail } from '../src/webhooks/drills/drill.ts';
import { startDrills } from '../src/webhooks/drills/index.ts';
import { type Answer, startSandbox, type TestApp } from './app.ts';
import { startReceivers } from './drill-receivers.ts';
import { until } from './harness.ts';

type StartedDrill = DrillDetail & { code?: string; detail?: string };

/** Starts the sandbox. Webhooks may also go to `otherHosts`. */
export async function startDrillSandbox(otherHosts: readonly string[] = []) {
  const receivers = await startReceivers();
  const allowHosts = [receivers.host, ...otherHosts];
  const sandbox = await startSandbox({ webhookAllowHosts: allowHosts });
  const outbound = createOutboundClient({ allowHosts });
  const { worker: db, plane } = sandbox;
  const errors: unknown[] = [];

  async function startWorker() {
    const { environment } = plane;
    const { masterKeys } = plane.secrets;
    const dispatcher = await startDispatcher({ db, environment, outbound, masterKeys, log: () => {} });
    const onError = (error: unknown): unknown => errors.push(error);
    return { dispatcher, drills: startDrills({ db, environment, send: dispatcher.probe, onError }) };
  }
  const workers = [await startWorker(), await startWorker()];

  const setup = {
    receivers,
    sandbox,
    async addEndpoint(app: TestApp, keyId: string, url: string): Promise<{ endpointId: string; secret: string }> {
      const created = await sandbox.manage<{ endpoint: { id: string }; signingSecret: string }>(
        'POST',
        `/apps/${app.id}/endpoints`,
        { url, keyId, eventTypes: ['ticket.created'], headers: { authorization: 'Bearer of the receiver' } },
      );
      expect(created.status).toBe(201);
      return { endpointId: created.body.endpoint.id, secret: created.body.signingSecret };
    },
    start: ({ app, endpointId }: { app: TestApp; endpointId: string }): Promise<Answer<StartedDrill>> =>
      sandbox.manage('POST', `/apps/${app.id}/endpoints/${endpointId}/drills`),
    async read(app: TestApp, drillId: string): Promise<DrillDetail> {
      return (await sandbox.manage<DrillDetail>('GET', `/apps/${app.id}/drills/${drillId}`)).body;
    },
    async rows<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
      return (await sandbox.database.superuser.query(text, values)).rows as Row[];
    },
    /** Waits for the end of the drill and returns it. */
    async ended(app: TestApp, drillId: string): Promise<DrillDetail> {
      const isOver = "select from drills where drill_id = $1 and status <> 'running'";
      await until(async () => (await setup.rows(isOver, [fromId('drl', drillId)])).length === 1, 20_000);
      return setup.read(app, drillId);
    },
    async close(): Promise<void> {
      // Requests that still hang end with their connection.
      await receivers.close();
      for (const { dispatcher, drills } of workers) await Promise.all([dispatcher.stop(), drills.stop()]);
      await outbound.close();
      await sandbox.close();
      expect(errors).toEqual([]);
    },
  };
  return setup;
}

export type DrillSandbox = Awaited<ReturnType<typeof startDrillSandbox>>;
