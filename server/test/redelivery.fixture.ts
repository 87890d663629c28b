// A sandbox whose webhooks go to a real receiver on loopback, which keeps messages byte for byte, and apps with an
// endpoint there. Tests run the redelivery job explicitly.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { fromId } from '../src/kit/crypto/ids.ts';
import { createOutboundClient } from '../src/kit/outbound/outbound.ts';
import { startDispatcher } from '../src/webhooks/dispatch/index.ts';
import { runDueRedeliveries } from '../src/webhooks/redeliveries/run-redeliveries.job.ts';
import { type Answer, json, type Sandbox, startSandbox } from './app.ts';
import { until } from './harness.ts';

export interface ReceivedDelivery {
  headers: IncomingHttpHeaders;
  body: string;
}
export interface ListedDelivery {
  id: string;
  eventId: string;
  trigger: string;
  status: string;
  reason: string | null;
  redeliveryOf: string | null;
  redeliveredAs: string | null;
}
export interface RedeliveryJobBody {
  id: string;
  state: string;
  total: number;
  done: number;
  skipped: number;
  code?: string;
  detail?: string;
  errors?: { pointer: string }[];
  deliveries: { status: string; reason: string | null; count: number }[];
}

export const uuidOf = (id: string | undefined): string => fromId(id?.slice(0, 3) ?? '', id ?? '') ?? '';

export async function startRedeliverySandbox() {
  const received: ReceivedDelivery[] = [];
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`; // a TCP address
  const sandbox = await startSandbox({ webhookAllowHosts: [host] });
  const outbound = createOutboundClient({ allowHosts: [host] });
  const errors: unknown[] = [];
  const dispatch = () =>
    startDispatcher({
      environment: 'sandbox',
      db: sandbox.dispatch,
      outbound,
      masterKeys: sandbox.plane.secrets.masterKeys,
      log: () => {},
    });
  let dispatcher = await dispatch();
  return {
    sandbox,
    received,
    errors,
    newShop: () => createRedeliveryApp(sandbox, `http://${host}/hooks`),
    /** Runs every due job once. */
    run: (): Promise<void> => runDueRedeliveries(sandbox.worker, sandbox.plane, (error) => errors.push(error)),
    /** Runs a function without a dispatcher, so that due deliveries wait. */
    async withoutDispatcher(work: () => Promise<void>): Promise<void> {
      await dispatcher.stop();
      await work();
      dispatcher = await dispatch();
    },
    async close(): Promise<void> {
      await dispatcher.stop();
      await outbound.close();
      await sandbox.close();
      receiver.closeAllConnections();
      await new Promise((resolve) => receiver.close(resolve));
    },
  };
}

export type RedeliveryApp = Awaited<ReturnType<typeof createRedeliveryApp>>;

/** Creates an app with a key and an endpoint that is pinned to the first version of its type. */
async function createRedeliveryApp(sandbox: Sandbox, url: string) {
  const app = await sandbox.newApp();
  const key = await app.key();
  const input = { url, keyId: key.id, eventTypes: ['ticket.created'], schemaVersions: { 'ticket.created': 1 } };
  const manage = <Body = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
    sandbox.manage<Body>(method, `/apps/${app.id}${path}`, body);
  const created = await manage<{ endpoint: { id: string }; signingSecret: string }>('POST', '/endpoints', input);
  const endpointId = created.body.endpoint.id;
  const query = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
    (await sandbox.database.superuser.query(text, values)).rows as Row[];
  const setEndpoint = (change: string) =>
    query(`update endpoints set ${change} where endpoint_id = $1`, uuidOf(endpointId));

  const shop = {
    key,
    serverId: app.serverIds[0],
    endpointId,
    appUuid: uuidOf(app.id),
    webhook: new Webhook(created.body.signingSecret),
    manage,
    query,
    setEndpoint,
    async openTickets(many: number): Promise<void> {
      for (let at = 0; at < many; at++) {
        const path = `/v1/servers/${app.serverIds[0]}/tickets`;
        await sandbox.call(path, key.token, json({ subject: `Grüße ${at}`, body: 'b' }));
      }
    },
    /** Creates deliveries that have failed finally, without requests: the schedule would take 75 hours. */
    async failTickets(many: number): Promise<void> {
      await setEndpoint("state = 'disabled'");
      await shop.openTickets(many);
      await query("update deliveries set status = 'failed', reason = null where app_id = $1", uuidOf(app.id));
      await setEndpoint("state = 'enabled'");
    },
    deliveries: async (filter = ''): Promise<ListedDelivery[]> =>
      (await manage<{ data: ListedDelivery[] }>('GET', `/deliveries${filter}`)).body.data,
    start: (wished: object = {}): Promise<Answer<RedeliveryJobBody>> =>
      manage('POST', '/redeliveries', { since: '2000-01-01T00:00:00Z', ...wished }),
    count: async (wished: object = {}): Promise<number> => (await shop.start({ ...wished, isDryRun: true })).body.total,
    look: async (id: string): Promise<RedeliveryJobBody> =>
      (await manage<RedeliveryJobBody>('GET', `/redeliveries/${id}`)).body,
    change: (id: string, body: object): Promise<Answer<RedeliveryJobBody>> =>
      manage('PATCH', `/redeliveries/${id}`, body),
    /** Calls `run` until the job has finished. */
    finish: (id: string, run: () => Promise<void>): Promise<RedeliveryJobBody> =>
      until(async () => {
        await run();
        const job = await shop.look(id);
        return job.state === 'finished' && job;
      }),
  };
  return shop;
}
