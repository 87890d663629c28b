// One event in several schema versions: an endpoint receives its pinned version in bytes that never change, and the
// feed returns the requested version.

import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { schemaErrors } from '../../kit/http/schema.ts';
import { EXAMPLE_SIGNING_SECRET, eventWebhooks } from '../../listeners/event-catalogue.ts';
import { publicDocument } from '../../listeners/sandbox-api.ts';
import { DELIVERY_HEADERS } from '../../webhooks/webhooks/index.ts';
import { EVENT_KINDS, EVENT_TYPES } from './index.ts';

interface Event {
  id: string;
  type: string;
  schemaVersion: number;
  data: Record<string, unknown>;
}

const TICKET = { subject: 's', body: '# Hello', requester: { name: 'Imke', reference: 'user-4711' } };

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };
beforeAll(async () => {
  sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'] });
  app = await sandbox.newApp();
  key = await app.key();
});
afterAll(() => sandbox.close());

async function addEndpoint(schemaVersions?: Record<string, number>): Promise<{ id: string; schemaVersions: object }> {
  const { status, body } = await sandbox.manage<{ endpoint: { id: string; schemaVersions: object } }>(
    'POST',
    `/apps/${app.id}/endpoints`,
    {
      url: 'http://127.0.0.1:1/hooks',
      keyId: key.id,
      eventTypes: ['ticket.created', 'ping'],
      ...(schemaVersions && { schemaVersions }),
    },
  );
  expect(status).toBe(201);
  return body.endpoint;
}

/** Creates a ticket and returns a function that reads its event from the feed in a version. */
async function createdEvent(): Promise<(version?: number) => Promise<Event>> {
  const made = await sandbox.call<{ id: string }>(`/v1/servers/${app.serverIds[0]}/tickets`, key.token, json(TICKET));
  const { rows } = await sandbox.database.superuser.query<{ event_id: string }>(
    'select event_id from events where subject_id = $1',
    [fromId('tkt', made.body.id)],
  );
  const id = rows[0]?.event_id ?? '';
  const shown = async (version?: number): Promise<Event> => {
    const query = version === undefined ? '' : `&schemaVersion=${version}`;
    const { body } = await sandbox.call<{ data: Event[] }>(`/v1/events?limit=100${query}`, key.token);
    const found = body.data.find((event) => fromId('evt', event.id) === id);
    return found ?? Promise.reject(new Error('The event is not in the feed.'));
  };
  await until(() => shown().catch(() => undefined));
  return shown;
}

describe('the feed of events', () => {
  test('returns version 1 by default, and names the version of each event', async () => {
    const shown = await createdEvent();
    const [first, second] = [await shown(), await shown(2)];
    expect([first.schemaVersion, second.schemaVersion]).toEqual([1, 2]);
    expect(first.data).toMatchObject({ body: '# Hello', requester: { name: 'Imke', externalId: 'user-4711' } });
    expect(second.data).toMatchObject({ bodyMarkdown: '# Hello', requester: { name: 'Imke', reference: 'user-4711' } });
    expect(Object.keys(first.data)).not.toContain('bodyMarkdown');
    expect(Object.keys(second.data)).not.toContain('body');
    expect(await shown(1)).toEqual(first);
    expect(await shown(7), 'a version that does not exist yet').toEqual(second);
  });

  test('returns the same bytes as a single read in each version', async () => {
    const shown = await createdEvent();
    for (const version of [1, 2]) {
      const event = await shown(version);
      const { text } = await sandbox.call(`/v1/events/${event.id}?schemaVersion=${version}`, key.token);
      expect(text).toBe(JSON.stringify(event));
    }
  });
});

describe('the versions of an endpoint', () => {
  test('are the newest at its creation unless the request selects others', async () => {
    expect((await addEndpoint()).schemaVersions).toEqual({ 'ticket.created': 2, ping: 1 });
    expect((await addEndpoint({ 'ticket.created': 1 })).schemaVersions).toEqual({ 'ticket.created': 1, ping: 1 });
  });

  test('cannot be versions that do not exist', async () => {
    const pin = { url: 'http://127.0.0.1:1/h', keyId: key.id, eventTypes: ['ping'], schemaVersions: { ping: 2 } };
    const { status, body } = await sandbox.manage('POST', `/apps/${app.id}/endpoints`, pin);
    expect([status, body.errors]).toEqual([400, [{ pointer: '/schemaVersions/ping', detail: 'must be at most 1' }]]);
  });

  test('cannot be set for a type that the endpoint does not receive, because the version would be lost', async () => {
    const { id } = await addEndpoint();
    const endpoint = `/apps/${app.id}/endpoints/${id}`;
    const schemaVersions = { 'ticket.created': 1 };
    const input = { url: 'http://127.0.0.1:1/h', keyId: key.id, eventTypes: ['ping'], schemaVersions };
    for (const [answer, type] of [
      [await sandbox.manage('POST', `/apps/${app.id}/endpoints`, input), 'ticket.created'],
      [await sandbox.manage('PATCH', endpoint, { schemaVersions: { 'ticket.closed': 1 } }), 'ticket.closed'],
      [await sandbox.manage('PATCH', endpoint, { eventTypes: ['ping'], schemaVersions }), 'ticket.created'],
    ] as const) {
      const detail = 'must be a type that the endpoint receives';
      expect([answer.status, answer.body.errors]).toEqual([400, [{ pointer: `/schemaVersions/${type}`, detail }]]);
    }
    // A version is kept for a type that the same change adds.
    await sandbox.manage('PATCH', endpoint, { eventTypes: ['ping'] });
    const added = await sandbox.manage('PATCH', endpoint, { eventTypes: ['ticket.created'], schemaVersions });
    expect([added.status, added.body]).toMatchObject([200, { schemaVersions }]);
  });

  test('determine the bytes of its deliveries, and an endpoint older than versions receives version 1', async () => {
    const old = await addEndpoint({ 'ticket.created': 1 });
    const current = await addEndpoint();
    const ancient = await addEndpoint();
    await sandbox.database.superuser.query("update endpoints set schema_versions = '{}' where endpoint_id = $1", [
      fromId('whe', ancient.id),
    ]);
    const shown = await createdEvent();
    const bodyFor = async (endpoint: { id: string }): Promise<unknown> => {
      const query = `endpointId=${endpoint.id}&limit=1`;
      const list = await sandbox.manage<{ data: { id: string }[] }>('GET', `/apps/${app.id}/deliveries?${query}`);
      const { body } = await sandbox.manage('GET', `/apps/${app.id}/deliveries/${list.body.data[0]?.id}`);
      return JSON.parse(String(body.body));
    };
    expect(await bodyFor(old)).toEqual(await shown(1));
    expect(await bodyFor(current)).toEqual(await shown(2));
    expect(await bodyFor(ancient)).toEqual(await shown(1));
    // A pending delivery keeps its bytes when the endpoint is pinned to another version.
    await sandbox.database.superuser.query(`update endpoints set schema_versions = '{"ticket.created": 2}'`);
    expect(await bodyFor(old)).toEqual(await shown(1));
  });
});

describe('the contract of events', () => {
  const document = publicDocument('http://sandbox.test', 'http://sandbox.test/problems') as {
    webhooks: Record<
      string,
      { post: { requestBody: { content: Record<string, { examples: Record<string, Example> }> } } }
    >;
  };
  interface Example {
    value: { type: string; schemaVersion: number };
    'x-headers': Record<string, string>;
  }

  test('contains every event type in every version', () => {
    expect(Object.keys(document.webhooks)).toEqual([...EVENT_TYPES]);
    for (const { name, versions } of eventWebhooks) {
      const { schemaVersion } = EVENT_KINDS[name as keyof typeof EVENT_KINDS]; // the names come from the same table
      expect([name, versions.map(({ version }) => version)]).toEqual([
        name,
        Array.from({ length: schemaVersion }, (_, index) => schemaVersion - index),
      ]);
    }
  });

  test('gives webhooks a tag that no operation has, since generators make one class of a tag', () => {
    const { paths, webhooks } = publicDocument('', '') as Record<
      'paths' | 'webhooks',
      Record<string, Record<string, { tags: string[] }>>
    >; // the structure of the generated contract
    const tagsOf = (items: typeof paths): string[] =>
      Object.values(items).flatMap((item) => Object.values(item).flatMap(({ tags }) => tags));
    expect(new Set(tagsOf(webhooks))).toEqual(new Set(['Webhooks']));
    expect(tagsOf(paths)).not.toContain('Webhooks');
  });

  test('names every header of a delivery, from the table that the sender uses', () => {
    const { webhooks } = publicDocument('', '') as unknown as {
      webhooks: Record<string, { post: { parameters: { name: string; required: boolean }[] } }>; // the structure of the generated contract
    };
    const table = Object.entries(DELIVERY_HEADERS).map(([name, { isRequired }]) => [name, isRequired]);
    for (const { post } of Object.values(webhooks)) {
      expect(post.parameters.map(({ name, required }) => [name, required])).toEqual(table);
    }
  });

  test('has a signed example of each event that an independent library verifies and that matches its schema', () => {
    for (const { name, versions } of eventWebhooks) {
      const { examples } = document.webhooks[name]?.post.requestBody.content['application/json'] ?? { examples: {} };
      expect(Object.keys(examples)).toHaveLength(versions.length);
      for (const { value, 'x-headers': headers } of Object.values(examples)) {
        const schema = versions.find(({ version }) => version === value.schemaVersion)?.schema;
        expect([name, schema && schemaErrors(schema, value)]).toEqual([name, []]);
        expect(verify(JSON.stringify(value), headers)).toMatchObject({ type: name });
        expect(() => verify(JSON.stringify({ ...value, type: 'x' }), headers)).toThrow();
      }
    }
  });

  // The examples have a fixed date in the past, and the library rejects old timestamps.
  function verify(body: string, headers: Record<string, string>): unknown {
    const webhook = new Webhook(EXAMPLE_SIGNING_SECRET);
    const id = headers['webhook-id'] ?? '';
    const at = new Date(Number(headers['webhook-timestamp']) * 1000);
    if (webhook.sign(id, at, body) !== headers['webhook-signature']) throw new Error('The signature does not fit.');
    const now = new Date();
    const fresh = { ...headers, 'webhook-timestamp': String(Math.floor(now.getTime() / 1000)) };
    return webhook.verify(body, { ...fresh, 'webhook-signature': webhook.sign(id, now, body) });
  }
});
