// Messages to Slack, Microsoft Teams and PagerDuty. The receivers check each request against a schema of the published
// format (test/message-schemas), and refuse an invalid one as the services do.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { beforeEach, describe, expect, test } from 'vitest';
import { uuidOf } from '../../../test/sweep/copied-rows.ts';
import { SENT_KINDS } from '../../platform/notices/index.ts';
import { DESTINATION_KINDS, type DestinationKind } from './destination.ts';
import {
  announce,
  answerWith,
  call,
  create,
  list,
  noticeOf,
  passMinutes,
  query,
  receiver,
  send,
  useDestinations,
} from './destinations.fixture.ts';

useDestinations();

type ChatKind = Exclude<DestinationKind, 'webhook'>;
const CHATS = DESTINATION_KINDS.filter((kind): kind is ChatKind => kind !== 'webhook');
const ROUTING_KEY = '0123456789abcdef0123456789abcdef';

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true, strictRequired: false });
formats.default(ajv);
const schemaOf = (name: string) => {
  const file = new URL(`../../../test/message-schemas/${name}.schema.json`, import.meta.url);
  return ajv.compile(JSON.parse(readFileSync(file, 'utf8')));
};
const SCHEMAS = {
  slack: schemaOf('slack-message'),
  teams: schemaOf('teams-message'),
  pagerduty: schemaOf('pagerduty-event'),
};
/** The statuses of success, as the services document them. */
const SUCCESS = { slack: 200, teams: 202, pagerduty: 202 };

interface Body {
  event_action?: string;
  dedup_key?: string;
  [name: string]: unknown;
}
const bodies = (): Body[] => receiver.received.map(({ body }) => JSON.parse(body.toString()));

const createChat = (kind: ChatKind, input: object = {}) =>
  create({ kind, name: kind, ...(kind === 'pagerduty' && { routingKey: ROUTING_KEY }), ...input });
const inProduction = { environment: 'production' } as const;
const serve = (kind: ChatKind): void =>
  answerWith(() => {
    const body = receiver.received.at(-1)?.body ?? Buffer.alloc(0);
    const isSmall = kind !== 'teams' || body.length <= 28 * 1024;
    return isSmall && SCHEMAS[kind](JSON.parse(body.toString())) ? SUCCESS[kind] : 400;
  });

describe.each(CHATS)('%s', (kind) => {
  beforeEach(() => serve(kind));

  test('accepts a message about every kind of notice, with the link to the cause', async () => {
    await createChat(kind);
    for (const sent of SENT_KINDS) await announce({ ...inProduction, kind: sent, cause: `${sent} whe_1` });
    await send();
    expect(receiver.received).toHaveLength(SENT_KINDS.length);
    expect(bodies().filter((body) => !SCHEMAS[kind](body))).toEqual([]);
    for (const body of bodies()) expect(JSON.stringify(body)).toContain(noticeOf().message.link);
    expect((await list())[0]?.lastAttempt).toMatchObject({ outcome: 'succeeded', status: SUCCESS[kind] });
  });

  test('accepts a message with the longest texts, and with characters that take the most bytes', async () => {
    await createChat(kind);
    for (const [at, characters] of ['x', '\u{1f6a2}', '"', '\u0001', '\n', 'é', 'a\n', '\u0001\n'].entries())
      await announce({
        ...inProduction,
        cause: `longest ${at}`,
        message: { ...noticeOf().message, subject: characters.repeat(5_000), text: `A ${characters.repeat(20_000)}` },
      });
    await send();
    expect(receiver.received).toHaveLength(8);
    // No message waits for another attempt.
    expect(await query('select cause from destination_messages where due_at is not null')).toEqual([]);
    expect(bodies().filter((body) => !SCHEMAS[kind](body))).toEqual([]);
  });

  test('receives no notice of the sandbox', async () => {
    const { destination } = (await createChat(kind)).body;
    await announce({ cause: 'endpoint_disabled whe_2' });
    // Also not if a row names the sandbox.
    await query(
      `insert into destination_messages (destination_id, environment, cause, kind, waiting, due_at)
       values ($1, 'sandbox', 'endpoint_disabled whe_3', 'endpoint_disabled', $2, clock_timestamp())`,
      [uuidOf(destination.id), JSON.stringify([{ ...noticeOf().message, notice: null }])],
    );
    await send();
    expect(receiver.received).toEqual([]);
    expect(await query('select cause from destination_messages where due_at is not null')).toEqual([]);
  });

  test('cannot be created or changed to receive notices of the sandbox', async () => {
    for (const environments of [['sandbox'], ['sandbox', 'production']]) {
      const { status, body } = await createChat(kind, { environments });
      expect([status, JSON.stringify(body).includes('/environments')]).toEqual([400, true]);
    }
    const { destination } = (await createChat(kind)).body;
    expect(destination.environments).toEqual(['production']);
    const change = { environments: ['sandbox'] };
    expect((await call('PATCH', `/${destination.id}`, change)).status).toBe(400);
    await expect(query(`update notice_destinations set environments = '{sandbox}'`)).rejects.toThrow(
      /check constraint/,
    );
  });

  test('accepts a test message, and 10,000 notices of one cause as one message', async () => {
    const { destination, signingSecret } = (await createChat(kind)).body;
    expect(signingSecret).toBeNull();
    await call('POST', `/${destination.id}/test`);
    await send();
    expect((await list())[0]?.lastAttempt).toMatchObject({ outcome: 'succeeded' });
    await announce(inProduction);
    await query(`update destination_messages set further = 9999 where cause = 'endpoint_disabled whe_1'`);
    await send();
    expect(receiver.received).toHaveLength(2);
    expect(JSON.stringify(bodies()[1])).toContain('Further notices of this cause: 9999.');
    await announce(inProduction);
    await passMinutes(59);
    await send();
    expect(receiver.received).toHaveLength(2);
  });
});

test('a text of many paragraphs is cut with a mark to the 28 KB of Teams, and the link stays', async () => {
  serve('teams');
  await createChat('teams');
  const { message } = noticeOf();
  const paragraphs = Array.from({ length: 1_000 }, (_, at) => `${at}`);
  await announce({ ...inProduction, message: { ...message, text: paragraphs.join('\n') } });
  await send();
  const sent = receiver.received[0]?.body ?? Buffer.alloc(0);
  expect(sent.length).toBeGreaterThan(20_000);
  expect(sent.length).toBeLessThanOrEqual(28_000);
  const texts = [...sent.toString().matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text);
  expect(texts.slice(0, 3)).toEqual([message.subject, '0', '1']);
  expect(texts.at(-1)).toMatch(/^\d*…$/);
  expect(sent.toString()).toContain(message.link);
});

test('a name with links, mentions and formatting stays plain text in Slack, where only the address of the cause is a link', async () => {
  serve('slack');
  await createChat('slack');
  const hostile = '<!channel> <https://evil.example|here> *bold* & :ship:';
  await announce({ ...inProduction, message: { ...noticeOf().message, subject: hostile, text: hostile } });
  await send();
  const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
  expect(bodies()[0]).toMatchObject({
    text: '&lt;!channel&gt; &lt;https://evil.example|here&gt; *bold* &amp; :ship:',
    blocks: [
      { type: 'header', text: plain(hostile) },
      { type: 'section', text: plain(hostile) },
      { type: 'section', text: { type: 'mrkdwn', text: `<${noticeOf().message.link}|Open in the Console>` } },
    ],
  });
});

describe('PagerDuty', () => {
  beforeEach(() => serve('pagerduty'));

  test('all failures of an endpoint are one alert, which its recovery resolves, and another cause is another alert', async () => {
    await createChat('pagerduty');
    const kinds = ['endpoint_failing', 'endpoint_disabled', 'delivery_exhausted', 'endpoint_recovered'] as const;
    for (const kind of kinds) await announce({ ...inProduction, kind, cause: `${kind} whe_1` });
    await announce({ ...inProduction, kind: 'endpoint_keys_end', cause: 'endpoint_keys_end whe_1' });
    await send();
    const alert = 'slipway production endpoint whe_1';
    expect(bodies().map(({ event_action, dedup_key }) => [event_action, dedup_key])).toEqual([
      ['trigger', alert],
      ['trigger', alert],
      ['trigger', alert],
      ['resolve', alert],
      ['trigger', 'slipway production endpoint_keys_end whe_1'],
    ]);
  });

  test('notices of one cause are one alert', async () => {
    await createChat('pagerduty');
    const failing = { ...inProduction, kind: 'endpoint_failing', cause: 'endpoint_failing whe_1' } as const;
    await announce(failing);
    await send();
    await passMinutes(60);
    await announce(failing);
    await send();
    expect(new Set(bodies().map(({ dedup_key }) => dedup_key)).size).toBe(1);
    expect(bodies()).toHaveLength(2);
  });

  test('the routing key is sent, and neither shown, stored as text nor written to the audit log', async () => {
    await createChat('pagerduty');
    await announce(inProduction);
    await send();
    expect(bodies()[0]?.routing_key).toBe(ROUTING_KEY);
    const shown = JSON.stringify([
      await list(),
      await query('select row_to_json(d) from notice_destinations d'),
      await query('select row_to_json(m) from destination_messages m'),
      await query("select detail from audit_entries where action like 'notice_destination%'"),
    ]);
    expect(shown).not.toContain(ROUTING_KEY);
    expect(shown).not.toContain(Buffer.from(ROUTING_KEY).toString('hex'));
  });

  test('a routing key is required, and refused for other kinds', async () => {
    for (const input of [{ kind: 'pagerduty' }, { kind: 'slack', routingKey: ROUTING_KEY }]) {
      const { status, body } = await create(input);
      expect([status, JSON.stringify(body).includes('/routingKey')]).toEqual([400, true]);
    }
  });
});
