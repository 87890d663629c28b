// The bytes that a contract determines: the objects of a world as /v1 returns them, 500 ticks, each trigger, and the
// bytes of each event in each schema version. They are compared with files, so that a change of how resources are
// declared, stored or read shows each changed byte. contract.test.ts compares the served document, and world.test.ts the
// digests of the other presets. After an intended change, run the file with `--update`.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asManager, SCOPES } from '../src/access/authority/index.ts';
import { fromId, msOfUuid, toId } from '../src/kit/crypto/ids.ts';
import { EVENT_TYPES } from '../src/resources/events/index.ts';
import { HISTORY_ENDS_MS } from '../src/resources/synthetic.ts';
import { applyTick } from '../src/sandbox/world/apply-tick.ts';
import { makeWorld } from '../src/sandbox/world/index.ts';
import { insertApp } from '../src/tenancy/apps/index.ts';
import { json, type Sandbox, startSandbox } from './app.ts';

const SPEC = { preset: 'small', seed: 'golden', epoch: 0 } as const;
const TICKS = 500;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
const golden = (name: string, lines: readonly string[]) =>
  expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`golden/${name}.txt`);

/** Replaces the parts of ids and times that depend on the time of the test, and the ids that are random. */
function withoutTime(body: string): string {
  const ofId = (id: string, prefix: string): string => {
    const uuid = fromId(prefix, id);
    if (uuid === undefined || msOfUuid(uuid) < HISTORY_ENDS_MS) return id;
    // The last 16 characters of a derived id are a hash of its origin.
    return ['pub', 'rmi', 'tkt'].includes(prefix) ? `${prefix}_${'*'.repeat(10)}${id.slice(-16)}` : `${prefix}_*`;
  };
  return body
    .replaceAll(/\b([a-z]{3})_[0-7][0-9a-z]{25}\b/g, ofId)
    .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => (Date.parse(time) < HISTORY_ENDS_MS ? time : '*'))
    .replaceAll(/"targetQuarter":"[^"]+"/g, '"targetQuarter":"*"');
}

/** Makes an app with this id, whose world is therefore the same in every run. */
async function makeGoldenApp(appId: string) {
  const { plane, organisationId } = sandbox;
  const asApp = <T>(run: Parameters<typeof asManager<T>>[2]): Promise<T> =>
    asManager(plane, { app_id: appId, organisation_id: organisationId }, run);
  await asApp((tenant) => insertApp(tenant, { appId, organisationId, name: 'Golden', createdBy: 'a test' }));
  await asApp((tenant) => makeWorld(tenant, SPEC));
  const path = `/apps/${toId('app', appId)}`;
  const input = { name: 'A key', scopes: SCOPES, expiresInDays: 30 };
  const key = await sandbox.manage<{ token: string }>('POST', `${path}/keys`, input);
  const read = async (at: string): Promise<string> => {
    const { status, text } = await sandbox.call(at, key.body.token);
    expect([at, status]).toEqual([at, 200]);
    return withoutTime(text);
  };
  const events = async (): Promise<{ type: string; body: string; older_bodies: string[] }[]> => {
    const { superuser } = sandbox.database;
    const rows = await superuser.query(
      'select type, body, older_bodies from events where app_id = $1 order by event_id',
      [appId],
    );
    return rows.rows;
  };
  return { path, token: key.body.token, asApp, read, events };
}

interface Page {
  data: { id: string }[];
}

test('/v1 returns the known bytes for each object of the small world', async () => {
  const { read } = await makeGoldenApp('0188bac7-4afa-78aa-bc3b-bd1eef28d801');
  const lines: string[] = [];
  /** Keeps the objects of a list in full, or a digest of the page, and reads each object by its own operation. */
  const keep = async (path: string, isShown: boolean, itemPath?: string): Promise<string[]> => {
    const text = await read(`${path}?limit=100`);
    const { data }: Page = JSON.parse(text);
    const items = data.map((item) => JSON.stringify(item));
    lines.push(`GET ${path} ${digest(text)}`, ...(isShown ? items : []));
    if (itemPath !== undefined) {
      for (const [at, { id }] of data.entries()) expect(await read(`${itemPath}/${id}`)).toBe(items[at]);
    }
    return data.map(({ id }) => id);
  };
  const serverIds = await keep('/v1/servers', true, '/v1/servers');
  for (const [at, serverId] of serverIds.entries()) {
    const isShown = at === 0;
    await keep(`/v1/servers/${serverId}/publications`, isShown, '/v1/publications');
    await keep(`/v1/servers/${serverId}/roadmap`, isShown, '/v1/roadmap');
    await keep(`/v1/servers/${serverId}/tickets`, isShown, '/v1/tickets');
    await keep(`/v1/servers/${serverId}/workflows`, isShown);
  }
  await golden('small-world', lines);
});

test(`${TICKS} ticks of a world emit the known events`, async () => {
  const { asApp, read } = await makeGoldenApp('0188bac7-4afa-78aa-bc3b-bd1eef28d802');
  const lines: string[] = [];
  const seen = new Set<string>();
  for (let tick = 0; tick < TICKS; tick++) {
    const body = withoutTime((await asApp((tenant) => applyTick(tenant, sandbox.plane, { ...SPEC, tick }))) ?? '');
    const { type, subject, sequence } = JSON.parse(body);
    lines.push(`${tick} ${type} ${subject.id} ${sequence} ${digest(body)}`);
    if (!seen.has(type)) lines.push(body);
    seen.add(type);
  }
  const { data }: Page = JSON.parse(await read('/v1/servers?limit=100'));
  for (const { id } of data) {
    for (const list of ['publications', 'roadmap', 'tickets']) {
      const path = `/v1/servers/${id}/${list}`;
      lines.push(`GET ${path} ${digest(await read(`${path}?limit=100`))}`);
    }
  }
  await golden('ticks', lines);
}, 120_000);

const TICKET = {
  subject: 'A subject',
  body: 'A body',
  category: 'bug',
  priority: 'high',
  requester: { name: 'Imke', reference: 'user-1' },
  labels: ['voice'],
  metadata: { source: 'form' },
};
const SET: Record<string, object> = {
  'publication.updated': { bodyMarkdown: 'A text', tags: ['a tag'] },
  'roadmap.item_created': { title: 'A title', description: 'A description' },
  'roadmap.item_moved': { status: 'shipped' },
  'ticket.created': TICKET,
};

test('each trigger and each mutation of /v1 writes the known bytes of its event, in each schema version', async () => {
  const { path, token, events, read } = await makeGoldenApp('0188bac7-4afa-78aa-bc3b-bd1eef28d803');
  const { data: servers }: Page = JSON.parse(await read('/v1/servers'));
  const on = `/v1/servers/${servers[0]?.id}`;
  const idsOf = async (list: string): Promise<string[]> =>
    (JSON.parse(await read(`${on}/${list}`)) as Page).data.map(({ id }) => id);
  const [roadmap, tickets, workflows] = [await idsOf('roadmap'), await idsOf('tickets'), await idsOf('workflows')];
  const workflowId = workflows.at(-1);
  const objectIds: Record<string, string | undefined> = {
    'roadmap.item_moved': roadmap[0],
    'ticket.closed': tickets[0],
  };
  const lines: string[] = [];
  for (const type of EVENT_TYPES) {
    const objectId = type.startsWith('workflow_run') ? workflowId : objectIds[type];
    const body = { type, ...(objectId && { objectId }), ...(SET[type] && { set: SET[type] }) };
    const { status } = await sandbox.manage('POST', `${path}/world/events`, body);
    expect([type, status]).toEqual([type, 201]);
  }
  const answers = [
    await sandbox.call(`${on}/tickets`, token, json(TICKET)),
    await sandbox.call(`${on}/tickets`, token, json({ subject: 'A subject', body: 'A body' })),
    await sandbox.call(`/v1/workflows/${workflowId}/runs`, token, json({ input: { memberName: 'Imke' } })),
  ];
  for (const { status, text } of answers) lines.push(`${status} ${withoutRandom(text)}`);
  for (const { type, body, older_bodies: older } of await events()) {
    for (const [index, version] of [...older, body].entries())
      lines.push(`${type} v${index + 1}`, withoutRandom(version));
  }
  await golden('events', lines);
});

/** A trigger draws these values from a random origin. */
const withoutRandom = (body: string): string =>
  withoutTime(body)
    .replaceAll(/\*{10}[0-9a-z]{16}/g, '*')
    .replace(/"memberCount":\d+/, '"memberCount":"*"')
    .replace(/("type":"roadmap.item_created".*"category":)"[^"]+"/, '$1"*"');
