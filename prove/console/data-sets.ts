// The data for the proof of the Console: an installation with an app that has all kinds of data, and others that lack
// some or all of them.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fromId } from '../../server/src/kit/crypto/ids.ts';
import { HOSTILE } from '../../test/browser/hostile.ts';
import { deliveriesOf, requestsOf } from '../../test/day-of-traffic.ts';
import { startExternalPostgres } from '../../test/external-postgres.ts';
import { createInstance, until } from '../../test/slipway.ts';
import { ask, readNote, send, signIn } from '../../test/visitor.ts';

/** The parameters of the addresses of one data set. */
export interface Params {
  organisationId: string;
  appId: string;
  endpointId: string;
  requestId: string;
}

/**
 * `full` has all data; `quiet` a key and an endpoint without deliveries; `fresh` is an app without either. `bare` is an
 * organisation without apps, and `typed` another one for the stories by keyboard. `hostile` has hostile names.
 * `production` is an app of the second installation (production-site.ts).
 */
export type DataSetName = 'full' | 'quiet' | 'fresh' | 'bare' | 'typed' | 'hostile' | 'production';

/** The parts of an installation that a walk through its pages needs. */
export interface Site {
  consoleUrl: string;
  /** The owner's cookie. */
  cookie: string;
  params: Readonly<Record<DataSetName, Params>>;
  /** Ids of details next to a list, and parameters of pages for visitors, by their name in the cases. */
  ids: Record<string, string>;
}

export interface ConsoleSetup extends Site {
  apiUrl: string;
  account: { email: string; password: string };
  receiver: Receiver;
  /** Makes waiting deliveries fail finally after one attempt, because the schedule would take days. */
  failWaiting(): Promise<void>;
  /** Fills `full` with all data, and creates data for operators. */
  fill(): Promise<void>;
  /** Creates an organisation in which all names are hostile. */
  fillHostile(): Promise<void>;
  remove(): Promise<void>;
}

export const NOTHING: Params = { organisationId: '', appId: '', endpointId: '', requestId: '' };
const APPS = '/sandbox/organisations';
const TO_SEND = { eventTypes: ['ticket.created', 'ticket.updated', 'ping'] };

interface Receiver {
  host: string;
  /** The status that it returns at /switch. */
  answering: number;
  close(): void;
}

/**
 * Starts a receiver: it accepts at /hooks, refuses at /broken, and answers at /hostile with text that a careless
 * browser page would run.
 */
async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === '/switch') return void response.writeHead(receiver.answering).end();
    const isHostile = request.url === '/hostile';
    if (isHostile) for (const [at, text] of HOSTILE.entries()) response.setHeader(`x-hostile-${at}`, text);
    response.writeHead(request.url === '/hooks' ? 204 : 500, { 'content-type': 'text/html' });
    response.end(request.url === '/hooks' ? undefined : isHostile ? HOSTILE.join('\n') : 'The bridge is closed.');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP address
  const receiver = { host: `127.0.0.1:${port}`, answering: 204, close: () => void server.close() };
  return receiver;
}

export async function startConsoleSetup(): Promise<ConsoleSetup> {
  const [postgres, instance, receiver] = await Promise.all([
    startExternalPostgres(),
    createInstance(),
    startReceiver(),
  ]);
  await instance.start({ ...postgres.settings, SLIPWAY_WEBHOOK_ALLOW_HOSTS: receiver.host }).ready;
  const note = readNote(instance);
  const { cookie } = await signIn(instance, note.link);
  const account = { email: 'owner@slipway.local', password: 'a long sentence is a good one' };
  const site = `${instance.consoleUrl}/api`;
  const as = { cookie };
  const read = async <Body>(path: string): Promise<Body> => (await ask<Body>(site + path, { headers: as })).body;
  const first = async (path: string): Promise<string> =>
    (await read<{ data: { id: string }[] }>(path)).data[0]?.id ?? '';
  const make = async <Body = { id: string }>(path: string, body?: unknown): Promise<Body> => {
    const answer = await send<Body>(site + path, body, as);
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const put = async (path: string, body: object): Promise<{ version: number }> => {
    const headers = { ...as, 'content-type': 'application/json', 'slipway-console': '1' };
    const answer = await ask<{ version: number }>(site + path, { method: 'PUT', headers, body: JSON.stringify(body) });
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}.`);
    return answer.body;
  };
  const organisation = async (name: string): Promise<string> => (await make('/organisations', { name })).id;
  const app = async (of: string, name: string): Promise<string> => (await make(`${APPS}/${of}/apps`, { name })).id;
  const key = (to: string, name: string, expiresInDays = 30) =>
    make<{ token: string; key: { id: string } }>(`${to}/keys`, {
      ...{ name, expiresInDays },
      scopes: ['servers:read', 'events:read', 'tickets:create'],
    });
  const endpoint = async (to: string, path: string, keyId: string, description: string): Promise<string> => {
    const input = { url: `http://${receiver.host}${path}`, keyId, description, ...TO_SEND };
    return (await make<{ endpoint: { id: string } }>(`${to}/endpoints`, input)).endpoint.id;
  };
  const call = (path: string, token: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}` };
    return body ? send(instance.apiUrl + path, body, headers) : ask(instance.apiUrl + path, { headers });
  };

  await put('/password', { password: account.password });
  const demo = (await read<{ organisations: { id: string }[] }>('/session')).organisations[0]?.id ?? '';
  const demoApp = await first(`${APPS}/${demo}/apps`);
  const atDemo = `${APPS}/${demo}/apps/${demoApp}`;
  const harbour = await organisation('Harbour Tools');
  const freshApp = await app(harbour, 'Tide tables');
  const quietApp = await app(harbour, 'Ticket bridge');
  const atQuiet = `${APPS}/${harbour}/apps/${quietApp}`;
  const quietKey = await key(atQuiet, 'Staging bridge');
  const params: ConsoleSetup['params'] = {
    full: {
      organisationId: demo,
      appId: demoApp,
      endpointId: await first(`${atDemo}/endpoints`),
      requestId: '',
    },
    quiet: {
      ...{ organisationId: harbour, appId: quietApp, requestId: '' },
      endpointId: await endpoint(atQuiet, '/hooks', quietKey.key.id, 'The bridge in staging'),
    },
    fresh: { ...NOTHING, organisationId: harbour, appId: freshApp },
    bare: { ...NOTHING, organisationId: await organisation('Empty Quay') },
    typed: { ...NOTHING, organisationId: await organisation('Keyboard Wharf') },
    hostile: { ...NOTHING },
    production: { ...NOTHING },
  };
  const ids: Record<string, string> = { link: note.link };

  /** Waits for an object in this state. */
  const waitForId = (path: string) => until(async () => (await first(path)) || undefined, 30_000);

  async function fillDemo(): Promise<void> {
    await postgres.query(requestsOf(fromId('app', demoApp)));
    await postgres.query(deliveriesOf(fromId('app', demoApp)));
    const since = new Date(Date.now() - 4 * 3_600_000).toISOString();
    ids.job = (await make(`${atDemo}/redeliveries`, { since, ratePerSecond: 20 })).id;
    const keys = [await key(atDemo, 'Harbour bridge, nightly export', 1), await key(atDemo, 'Left in a repository')];
    await send(`${instance.apiUrl}/v1/leaked-keys`, { key: keys[1]?.token });
    const [serverId = '', other = ''] = (
      await read<{ data: { serverId: string }[] }>(`${atDemo}/installations?limit=5`)
    ).data.map((one) => one.serverId);
    const pause = { state: 'paused', reason: 'The team is away until Monday.' };
    await put(`${atDemo}/servers/${other}/installation`, pause);
    Object.assign(ids, { key: keys[0]?.key.id, server: other });
    const broken = await endpoint(
      atDemo,
      '/broken',
      keys[0]?.key.id ?? '',
      'The bridge in staging, which responds with 500',
    );
    await endpoint(atDemo, '/hooks', keys[0]?.key.id ?? '', '');
    const token = note.key ?? '';
    const ticket = { subject: 'The crane does not turn', body: 'As reported in the harbour office.' };
    const created = await call(`/v1/servers/${serverId}/tickets`, token, ticket);
    ids.request = created.headers.get('request-id') ?? '';
    await call(`/v1/servers/${serverId}/tickets`, token, { subject: 12 });
    await call('/v1/servers/srv_01j9z3v8k6e5t8m2n4p6q8r0s2', token);
    const refused = await call('/v1/servers?limit=1000', token);
    ids.refused = refused.headers.get('request-id') ?? '';
    ids.event = await waitForId(`${atDemo}/events?type=ticket.created`);
    ids.delivery = await waitForId(`${atDemo}/deliveries?endpointId=${broken}&status=pending`);
    ids.drill = (await make(`${atDemo}/endpoints/${params.full.endpointId}/drills`)).id;
    const effect = { latencyMs: 500, code: 'unavailable' };
    await waitForId(`${atDemo}/deprecated-uses`);
    await make(`${atDemo}/faults`, { operationId: 'createTicket', share: 0.1, effect });
    await make(`${atDemo}/faults`, { operationId: 'listServers', share: 0, effect: { code: 'rate_limited' } });
  }

  async function fillOrganisation(): Promise<void> {
    const at = `/organisations/${demo}`;
    for (const [email, role] of [
      ['imke@example.org', 'developer'],
      ['harbour.master.of.the.northern.quays@example.org', 'auditor'],
    ] as const) {
      const { url } = await make<{ url: string }>(`${at}/invitations`, { email, role });
      ids.invitation = url.split('#token=')[1] ?? '';
    }
    await make(`${at}/access-tokens`, { name: 'My laptop', scope: 'read', expiresInDays: 30 });
    const draft = await make<{ id: string; version: number }>(`${at}/live-access-requests`, { appId: demoApp });
    params.full.requestId = draft.id;
    const scope = (name: string) => ({
      scope: name,
      purpose: 'Our customers open tickets from their own desk.',
      dataUse: 'Names of servers, in Frankfurt, for a day.',
    });
    const { version } = await put(`${at}/live-access-requests/${draft.id}`, {
      version: draft.version,
      scopes: [scope('servers:read'), scope('tickets:create')],
      contacts: [{ kind: 'security', name: 'Imke', email: 'imke@example.org' }],
    });
    await make(`${at}/live-access-requests/${draft.id}/submit`, { version });
    await send(`${site}/sign-ups`, { email: 'skipper@example.org' });
    ids.message = await waitForId('/operator/messages');
    ids.entry = await first(`${at}/audit-log`);
  }

  async function fillHostile(): Promise<void> {
    const [name = ''] = HOSTILE;
    const organisationId = await organisation(name);
    const appId = await app(organisationId, HOSTILE[1] ?? '');
    const at = `${APPS}/${organisationId}/apps/${appId}`;
    const createdKey = await key(at, HOSTILE[2] ?? '');
    const endpointId = await endpoint(at, '/hostile', createdKey.key.id, name);
    Object.assign(params.hostile, { organisationId, appId, endpointId });
    const servers = await ask<{ data: { id: string }[] }>(`${instance.apiUrl}/v1/servers`, {
      headers: { authorization: `Bearer ${createdKey.token}`, 'user-agent': HOSTILE[3] ?? '' },
    });
    const ticket = { subject: HOSTILE.join(' ').slice(0, 200), body: name };
    await call(`/v1/servers/${servers.body.data[0]?.id}/tickets`, createdKey.token, ticket);
    ids.hostileDelivery = await waitForId(`${at}/deliveries?status=pending`);
    await until(
      async () => (await read<{ attempts: object[] }>(`${at}/deliveries/${ids.hostileDelivery}`)).attempts[0],
    );
  }

  async function fillOperator(): Promise<void> {
    await until(async () => {
      for (let sent = 0; sent < 40; sent += 1) await ask(`${instance.apiUrl}/v1/servers`);
      const { data, counts } = await read<{ data: object[]; counts: object[] }>('/operator/unauthenticated-requests');
      return data.length > 0 && counts.length > 0;
    });
  }

  return {
    ...{ consoleUrl: instance.consoleUrl, apiUrl: instance.apiUrl, cookie, account, receiver, params, ids },
    async failWaiting() {
      const waits = `select 1 from queue q join deliveries d on d.delivery_id = q.delivery_id
        join endpoints e on e.endpoint_id = d.endpoint_id where q.attempt_no = 1 and q.state = 'waiting' and e.url like '%/switch'`;
      await until(async () => (await postgres.query(waits))[0]);
      await postgres.query(`with deleted as (delete from queue q using deliveries d, endpoints e
          where d.delivery_id = q.delivery_id and e.endpoint_id = d.endpoint_id and e.url like '%/switch' returning q.delivery_id)
        update deliveries d set status = 'failed', finished_at = now() from deleted where d.delivery_id = deleted.delivery_id`);
    },
    async fill() {
      await fillDemo();
      await fillOrganisation();
      await fillOperator();
    },
    fillHostile,
    async remove() {
      receiver.close();
      await instance.remove();
      await postgres.remove();
    },
  };
}
