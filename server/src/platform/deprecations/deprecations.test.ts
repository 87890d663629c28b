// Deprecations: each response of a request with a deprecated field says so, uses are counted per app, and a use after
// the end is refused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { declaredDeprecation } from '../../../test/declared-deprecation.ts';
import { type ApiNode, startNode } from '../../../test/node.ts';
import { RESPONSE_HEADERS } from '../../access/response-headers/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import {
  type Deprecation,
  deprecationHeaders,
  endsMs,
  isInRequest,
  MIN_MIGRATION_DAYS,
  migrationDays,
  requireMigrationPeriods,
  usedDeprecations,
} from '../../kit/http/deprecation.ts';
import { schemaErrors } from '../../kit/http/schema.ts';
import { webhooksOf } from '../../listeners/event-catalogue.ts';
import { publicDocument, publicOperations } from '../../listeners/sandbox-api.ts';
import { DEFAULT_RETENTION, runHousekeeping } from '../housekeeping/index.ts';
import { deprecationIndex } from './deprecation-page.ts';
import { ALL_DEPRECATIONS, EVENT_DEPRECATIONS, RULE_CHANGES } from './index.ts';

const FIELD = declaredDeprecation('ticket-requester-external-id');
const RETURNED = declaredDeprecation('ticket-external-id');
const LINK =
  '<http://sandbox.test/deprecations/ticket-requester-external-id>; rel="deprecation"; type="text/html", ' +
  '<http://sandbox.test/deprecations/ticket-requester-external-id>; rel="sunset"; type="text/html"';
const OLD = { subject: 's', body: 'b', requester: { name: 'Imke', externalId: 'user-4711' } };
const NEW = { subject: 's', body: 'b', requester: { name: 'Imke', reference: 'user-4711' } };

let sandbox: Sandbox;
let app: TestApp;
let token: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
  token = (await app.key()).token;
});
afterAll(() => sandbox.close());

const path = (): string => `/v1/servers/${app.serverIds[0]}/tickets`;

/** Starts a node whose deprecations use the given time. */
const nodeAt = (atMs: number): ApiNode =>
  startNode(sandbox, {}, (plane) => ({ deprecations: { ...plane.deprecations, nowMs: () => atMs } }));

describe('a request with a deprecated field', () => {
  test('a request with a deprecated field is served, with headers for the announcement, the end and the page', async () => {
    const { status, headers, body } = await sandbox.call(path(), token, json(OLD));
    expect(status).toBe(201);
    expect(headers.get('deprecation')).toBe('@1795219200');
    expect(headers.get('sunset')).toBe('Mon, 31 May 2027 00:00:00 GMT');
    expect(headers.get('link')).toBe(LINK);
    expect(body.requester).toEqual({ name: 'Imke', reference: 'user-4711', externalId: 'user-4711' });
  });

  test('a refusal of a request with a deprecated field has the same headers', async () => {
    const elsewhere = json({ ...OLD, category: 'bug' });
    const { status, headers } = await sandbox.call(
      '/v1/servers/srv_00000000000000000000000000/tickets',
      token,
      elsewhere,
    );
    expect([status, headers.get('deprecation'), headers.get('link')]).toEqual([404, '@1795219200', LINK]);
  });

  test('a request without a deprecated field has no such headers, and the response has both names', async () => {
    const { status, headers, body } = await sandbox.call(path(), token, json(NEW));
    expect([status, headers.get('deprecation'), headers.get('sunset'), headers.get('link')]).toEqual([
      201,
      null,
      null,
      null,
    ]);
    expect(body.requester).toEqual({ name: 'Imke', reference: 'user-4711', externalId: 'user-4711' });
  });

  test('a deprecated field is accepted until 1 ms before its end and refused with 410 from then on', async () => {
    const before = nodeAt(endsMs(FIELD) - 1);
    expect((await before.call('POST', path(), token, OLD)).status).toBe(201);
    await before.close();
    const after = nodeAt(endsMs(FIELD));
    const refused = await after.call('POST', path(), token, OLD);
    expect([refused.status, refused.code, refused.headers.sunset]).toEqual([
      410,
      'gone',
      'Mon, 31 May 2027 00:00:00 GMT',
    ]);
    expect(refused.body.detail).toContain('Send `reference` instead');
    expect((await after.call('POST', path(), token, NEW)).status).toBe(201);
    await after.close();
  });
});

// The detail of the response refers to a link, so a client that tries out its handling needs the link.
test('a simulated `gone` has the headers of a real one at every operation', async () => {
  for (const [at, init] of [['/v1/servers', {}] as const, [path(), json(NEW)] as const]) {
    const { status, headers } = await sandbox.call(at, token, {
      ...init,
      headers: { ...Object(Reflect.get(init, 'headers')), 'sandbox-simulate': 'code=gone' },
    });
    expect(status).toBe(410);
    for (const name of ['Link', 'Deprecation', 'Sunset'] as const) {
      expect([name, schemaErrors(RESPONSE_HEADERS[name].schema, headers.get(name))]).toEqual([name, []]);
    }
    expect(Date.parse(headers.get('sunset') ?? '')).toBeLessThan(Date.now());
    const [, page = ''] = /<([^>]+)>; rel="deprecation"/.exec(headers.get('link') ?? '') ?? [];
    expect((await sandbox.call(new URL(page).pathname)).status).toBe(200);
  }
});

describe('counts of deprecated uses', () => {
  test('uses are counted per app, written once for many requests, and shown with the replacement', async () => {
    const other = await sandbox.newApp();
    const node = nodeAt(Date.parse('2026-12-01T00:00:00Z'));
    const token = (await other.key()).token;
    let newest: unknown;
    for (let index = 0; index < 5; index += 1) {
      const { headers } = await node.call('POST', `/v1/servers/${other.serverIds[0]}/tickets`, token, OLD);
      newest = headers['request-id'];
    }
    await node.call('POST', `/v1/servers/${other.serverIds[0]}/tickets`, token, NEW);
    const uses = () =>
      sandbox.manage<{ data: { id: string; uses: number }[] }>('GET', `/apps/${other.id}/deprecated-uses`);
    expect((await uses()).body.data).toEqual([]);
    await node.close();
    const { body } = await uses();
    expect(body.data.map(({ id, uses }) => [id, uses])).toEqual([
      [FIELD.id, 5],
      [RETURNED.id, 6],
    ]);
    expect(body.data.slice(0, 1)).toEqual([
      {
        id: FIELD.id,
        title: FIELD.title,
        replacement: FIELD.replacement,
        pageUrl: `http://sandbox.test/deprecations/${FIELD.id}`,
        announced: FIELD.announced,
        ends: FIELD.ends,
        isRefusedAfter: true,
        uses: 5,
        lastUsedAt: expect.any(String),
        newestRequestIds: expect.toSatisfy((ids: string[]) => ids.length === 5 && ids[0] === newest),
        endpoints: 0,
        endpointIds: [],
        answer: { status: 'unanswered', snoozedUntil: null, answeredAt: null, answeredBy: null },
      },
    ]);
  });

  test('uses of 30 days are counted, also if requests are stored for fewer days', async () => {
    const other = await sandbox.newApp();
    const add = (daysAgo: number, uses: number) =>
      sandbox.database.superuser.query(
        "insert into deprecated_uses values ($1, $2, (now() at time zone 'UTC')::date - $3::int, $4, now())",
        [fromId('app', other.id), FIELD.id, daysAgo, uses],
      );
    await add(20, 3);
    await add(31, 4);
    await runHousekeeping(sandbox.worker, { ...DEFAULT_RETENTION, requestDays: 1 });
    const { body } = await sandbox.manage<{ data: { uses: number }[] }>('GET', `/apps/${other.id}/deprecated-uses`);
    expect(body.data.map(({ uses }) => uses)).toEqual([3]);
  });

  test('counts add up over nodes and flushes', async () => {
    const other = await sandbox.newApp();
    const token = (await other.key()).token;
    for (const _ of [1, 2]) {
      const node = nodeAt(Date.parse('2026-12-01T00:00:00Z'));
      await node.call('POST', `/v1/servers/${other.serverIds[0]}/tickets`, token, OLD);
      await node.close();
    }
    const { body } = await sandbox.manage<{ data: { uses: number }[] }>('GET', `/apps/${other.id}/deprecated-uses`);
    expect(body.data.map(({ uses }) => uses)).toEqual([2, 2]);
  });

  test('each call that returns a ticket is counted for its deprecated field, without headers and also after the end', async () => {
    const other = await sandbox.newApp();
    const token = (await other.key()).token;
    const node = nodeAt(endsMs(RETURNED));
    const tickets = `/v1/servers/${other.serverIds[0]}/tickets`;
    const { body: ticket } = await node.call('POST', tickets, token, NEW);
    const answers = [
      await node.call('GET', `/v1/tickets/${ticket.id}`, token),
      await node.call('GET', tickets, token),
      await node.call('GET', '/v1/servers', token),
    ];
    // A refused call returns no ticket.
    expect((await node.call('GET', '/v1/tickets/tkt_00000000000000000000000000', token)).status).toBe(404);
    await node.close();
    expect(answers.map(({ status, headers }) => [status, headers.deprecation])).toEqual(
      answers.map(() => [200, undefined]),
    );
    const { body } = await sandbox.manage<{ data: { id: string; uses: number }[] }>(
      'GET',
      `/apps/${other.id}/deprecated-uses`,
    );
    expect(body.data.map(({ id, uses }) => [id, uses])).toEqual([[RETURNED.id, 3]]);
  });
});

test('a read of an event is counted for its type and version, also from the cache', async () => {
  const counted: string[] = [];
  const node = startNode(sandbox, {}, (plane) => ({
    deprecations: { ...plane.deprecations, count: (_appId, id) => void counted.push(id) },
  }));
  const ofType = (id: string, where: { type: string; schemaVersion?: number }): Deprecation => ({
    ...FIELD,
    id,
    where: { in: 'events', ...where },
  });
  await node.call('POST', path(), token, NEW);
  const { body } = await node.call('GET', '/v1/events?type=ticket.created', token);
  const [{ id }] = body.data as [{ id: string }]; // the page has the event of the ticket
  const event = `/v1/events/${id}`;
  counted.length = 0;
  EVENT_DEPRECATIONS.push(
    ofType('its-type', { type: 'ticket.created' }),
    ofType('its-version', { type: 'ticket.created', schemaVersion: 1 }),
    ofType('another-type', { type: 'ping' }),
  );
  try {
    for (const _ of ['loaded', 'cached']) expect((await node.call('GET', event, token)).status).toBe(200);
    expect(counted).toEqual(['its-type', 'its-version', 'its-type', 'its-version']);
    counted.length = 0;
    await node.call('GET', `${event}?schemaVersion=2`, token);
    expect(counted).toEqual(['its-type']);
    counted.length = 0;
    expect((await node.call('GET', '/v1/events/evt_00000000000000000000000000', token)).status).toBe(404);
    expect(counted).toEqual([]);
  } finally {
    EVENT_DEPRECATIONS.length = 0;
    await node.close();
  }
});

describe('declared deprecations', () => {
  test.each(
    ALL_DEPRECATIONS.map((one) => [one.id, one] as const),
  )('%s has a sufficient migration period and a page', async (id, one) => {
    expect(migrationDays(one)).toBeGreaterThanOrEqual(MIN_MIGRATION_DAYS);
    const page = await sandbox.call(`/deprecations/${id}`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    for (const part of [one.announced, one.ends]) expect(page.text).toContain(part);
  });

  test('a declaration that ends too early or has the identifier of another one is refused', () => {
    expect(requireMigrationPeriods([FIELD])).toEqual([FIELD]);
    const early = { ...FIELD, announced: '2026-12-03' as const };
    expect(() => requireMigrationPeriods([early])).toThrow(
      'must end at least 180 days after its announcement on 2026-12-03, not on 2027-05-31',
    );
    expect(() => requireMigrationPeriods([{ ...FIELD, ends: '2027-99-99' as const }])).toThrow('must end at least');
    expect(() => requireMigrationPeriods([FIELD, FIELD])).toThrow('Two deprecations are called');
  });

  test('the index lists all deprecations by their end, or says that there are none', async () => {
    const { status, text, headers } = await sandbox.call('/deprecations');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const byEnd = [...ALL_DEPRECATIONS, ...RULE_CHANGES].sort((one, other) => endsMs(one) - endsMs(other));
    const linked = (html: string): (string | undefined)[] => [...html.matchAll(/href="([^"]*)"/g)].map(([, to]) => to);
    expect(linked(text)).toEqual(byEnd.map(({ id }) => `http://sandbox.test/deprecations/${id}`));
    const sooner = { ...FIELD, id: 'sooner', ends: '2027-05-30' as const };
    expect(linked(deprecationIndex([FIELD, sooner], 'http://x'))).toEqual(['http://x/sooner', `http://x/${FIELD.id}`]);
    expect(text).not.toContain('No part of the API');
    const none = deprecationIndex([], 'http://x');
    expect([linked(none), none]).toEqual([[], expect.stringContaining('No part of the API is deprecated.')]);
  });

  test('each deprecation is used by an operation', () => {
    const used = publicOperations.flatMap((operation) => operation.deprecations ?? []);
    expect(new Set(used)).toEqual(new Set(ALL_DEPRECATIONS));
    // A Link header of the operation itself would be replaced by the one of the deprecation.
    const withLink = publicOperations.filter(({ replies }) =>
      Object.values(replies).some((one) => one.headers?.includes('Link')),
    );
    expect(withLink.filter((operation) => operation.deprecations?.some(isInRequest))).toEqual([]);
  });

  test('each deprecation is marked in the contract', () => {
    const document = publicDocument('http://x', 'http://x/problems');
    for (const schema of ['TicketRequester', 'TicketRequesterInput']) {
      expect(document).toHaveProperty(`components.schemas.${schema}.properties.externalId.deprecated`, true);
    }
  });

  test('deprecated event types and schema versions are marked in the contract, and reads of the feed are counted', () => {
    const webhooks = webhooksOf([
      { ...FIELD, where: { in: 'events', type: 'ping' } },
      { ...FIELD, where: { in: 'events', type: 'ticket.created', schemaVersion: 1 } },
    ]);
    expect(webhooks.filter(({ isDeprecated }) => isDeprecated).map(({ name }) => name)).toEqual(['ping']);
    const marked = webhooks.flatMap(({ name, versions }) =>
      versions.filter(({ schema }) => Reflect.get(schema, 'deprecated') === true).map(({ version }) => [name, version]),
    );
    expect(marked).toEqual([['ticket.created', 1]]);
    for (const read of ['listEvents', 'getEvent'])
      expect(publicOperations.find(({ id }) => id === read)?.deprecations).toBe(EVENT_DEPRECATIONS);
  });
});

describe('deprecated uses of a request', () => {
  const operation = { ...FIELD, where: { in: 'operation' } as const };
  const query = { ...FIELD, id: 'q', ends: '2027-01-01' as const, where: { in: 'query', name: 'old' } as const };
  const inputs = { query: {}, body: { requester: null } };

  test('each request uses a deprecated operation, and only requests with the parameter or field use those', () => {
    expect(usedDeprecations([operation, query, FIELD], inputs)).toEqual([operation]);
    expect(usedDeprecations([query], { ...inputs, query: { old: 1 } })).toEqual([query]);
    expect(usedDeprecations([FIELD], { ...inputs, body: { requester: { externalId: 'x' } } })).toEqual([FIELD]);
    expect(usedDeprecations([FIELD], { ...inputs, body: Object.create({ requester: { externalId: 'x' } }) })).toEqual(
      [],
    );
  });

  test('a read of the feed uses a deprecated event type or version that it can return', () => {
    const type = { ...FIELD, where: { in: 'events', type: 'ticket.created' } as const };
    const version = { ...FIELD, where: { in: 'events', type: 'ticket.created', schemaVersion: 1 } as const };
    const used = (query: Record<string, unknown>) => usedDeprecations([type, version], { query, body: undefined });
    expect(used({})).toEqual([type, version]);
    expect(used({ type: 'ticket.created', schemaVersion: 2 })).toEqual([type]);
    expect(used({ type: 'ping' })).toEqual([]);
  });

  test('the headers for several deprecations have the earliest end and the links of each', () => {
    const headers = deprecationHeaders([FIELD, query], 'http://x');
    expect(headers.sunset).toBe('Fri, 01 Jan 2027 00:00:00 GMT');
    expect(headers.link?.match(/rel=/g)).toHaveLength(4);
  });
});
