// Messages to destinations of notices: what a signed webhook receives, and the limits of messages.
import { describe, expect, test } from 'vitest';
import { MASTER_KEYS, until } from '../../../test/harness.ts';
import { foundOrganisation } from '../../../test/organisation.fixture.ts';
import { uuidOf } from '../../../test/sweep/copied-rows.ts';
import { seal } from '../../kit/crypto/seal.ts';
import { secret } from '../../kit/crypto/secret.ts';
import { createOutboundClient } from '../../kit/outbound/outbound.ts';
import { startHookReceiver, verifiesWith } from '../../webhooks/webhooks/hook-receiver.fixture.ts';
import { announceNotice, mailNotices } from '../notice-mail/index.ts';
import { bindingOf, type NoticeDestination } from './destination.ts';
import {
  announce,
  answerWith,
  call,
  create,
  DESTINATIONS,
  errors,
  home,
  list,
  messages,
  noticeOf,
  outbound,
  passMinutes,
  query,
  receiver,
  send,
  sender,
  site,
  useDestinations,
} from './destinations.fixture.ts';
import { createMessageSender } from './send-messages.job.ts';

useDestinations();

describe('a signed webhook', () => {
  test('receives a notice with its link, and the public library verifies the signature', async () => {
    const { signingSecret } = (await create()).body;
    await announce();
    await send();
    const [received] = receiver.received;
    expect(received && verifiesWith(signingSecret, received)).toBe(true);
    expect(received?.headers).toMatchObject({
      'webhook-id': messages()[0]?.id,
      'slipway-environment': 'sandbox',
      'content-type': 'application/json',
    });
    expect(messages()).toEqual([
      {
        id: expect.stringMatching(/^nms_/),
        kind: 'endpoint_disabled',
        environment: 'sandbox',
        organisationId: home.id,
        cause: 'endpoint_disabled whe_1',
        createdAt: expect.any(String),
        notices: [{ ...noticeOf().message, notice: null }],
        further: 0,
      },
    ]);
  });

  test('receives notices of its environments and unmuted kinds only, and of no other organisation', async () => {
    await create({ environments: ['production'], mutedKinds: ['key_expires'] });
    const other = await foundOrganisation(site);
    await announce({ cause: 'sandbox' });
    await announce({ environment: 'production', kind: 'key_expires', cause: 'muted' });
    await announce({ environment: 'production', organisationId: uuidOf(other.id), cause: 'other' });
    await announce({ environment: 'production', cause: 'received' });
    await send();
    expect(messages().map(({ cause }) => cause)).toEqual(['received']);
  });

  test('a failed attempt is repeated by the schedule of deliveries, with the same id and the same content', async () => {
    await create();
    await announce();
    const statuses = [500, 503, 200];
    answerWith(() => statuses.shift() ?? 200);
    await send();
    expect((await list())[0]?.lastAttempt).toMatchObject({ outcome: 'waiting', status: 500 });
    await announce();
    for (const minutes of [1, 10]) {
      await passMinutes(minutes);
      await send();
    }
    expect(messages().map(({ id, notices }) => [id, notices.length])).toEqual(
      Array.from({ length: 3 }, () => [messages()[0]?.id, 1]),
    );
    expect((await list())[0]).toMatchObject({
      lastAttempt: { outcome: 'succeeded', status: 200 },
      lastSuccessAt: expect.any(String),
    });
    const delays = await query<{ seconds: number }>(
      'select extract(epoch from due_at - attempted_at)::int as seconds from destination_messages',
    );
    expect(delays).toEqual([{ seconds: 3_600 }]);
  });

  test('the tenth failed attempt is the last one', async () => {
    await create();
    await announce();
    answerWith(() => 500);
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await passMinutes(30 * 60);
      await send();
    }
    expect(receiver.received).toHaveLength(10);
    expect((await list())[0]).toMatchObject({ state: 'enabled', lastAttempt: { outcome: 'failed', status: 500 } });
  });

  test('a response with 410 disables the destination', async () => {
    await create();
    await announce();
    await announce({ cause: 'another' });
    answerWith(() => 410);
    await send();
    expect(receiver.received).toHaveLength(1);
    expect((await list())[0]).toMatchObject({
      state: 'disabled',
      disabledReason: 'The receiver responded with 410 Gone.',
    });
  });

  test('an address that can no longer be decrypted disables the destination', async () => {
    await create();
    await announce();
    const keys = { current: 'm1', keys: { m1: secret(Buffer.alloc(32, 8).toString('base64')) } };
    await send(createMessageSender({ db: site.db, outbound, sealingKeys: keys, onError: (e) => errors.push(e) }));
    expect([receiver.received.length, errors.length]).toEqual([0, 1]);
    expect((await list())[0]).toMatchObject({ state: 'disabled' });
  });
});

describe('limits', () => {
  test('a storm of 10,000 notices of one cause is one message for each destination and member, and one more after an hour', async () => {
    await query('delete from outbox');
    await home.join('admin');
    await create();
    await create({ kind: 'pagerduty', name: 'On-call', routingKey: 'a'.repeat(32) });
    const sent = { ...noticeOf({ environment: 'production' }), createdBy: home.owner.person.email };
    let left = 500;
    /**
     * Takes 20 notices in each transaction, so that the test takes seconds. A lane waits for the transactions of all
     * others, and a statement has a timeout of seconds.
     */
    const lane = async (): Promise<void> => {
      while (left-- > 0)
        await site.db.transaction(async (tx) => {
          await Promise.all(Array.from({ length: 20 }, () => announceNotice(tx, sent)));
        });
    };
    let isOver = false;
    const lanes = Promise.all([lane(), lane(), lane(), lane()]).finally(() => (isOver = true));
    lanes.catch(() => {}); // reported below
    const sendAll = async (): Promise<void> => {
      await mailNotices({ db: site.db, connections: [], consoleUrl: site.url }, (error) => errors.push(error));
      await send();
    };
    while (!isOver) await sendAll();
    await lanes;
    await sendAll();
    expect([receiver.received.length, errors]).toEqual([2, []]);
    await passMinutes(59);
    await sendAll();
    expect(receiver.received).toHaveLength(2);
    const mails = await query<{ recipient: string }>(
      "select recipient from outbox where subject ~ 'It was disabled|notices from Slipway'",
    );
    expect([mails.length, new Set(mails.map(({ recipient }) => recipient)).size]).toEqual([2, 2]);
    await passMinutes(1);
    await sendAll();
    expect(receiver.received).toHaveLength(4);
    const toWebhook = messages().filter((message) => 'notices' in message);
    expect(toWebhook.reduce((sum, { notices, further }) => sum + notices.length + further, 0)).toBe(10_000);
    expect(toWebhook.every(({ notices }) => notices.length <= 10)).toBe(true);
  }, 180_000); // the limit only ends a test that hangs: 10,000 upserts of one row take half a minute on a busy machine

  test('concurrent Consoles send each message once', async () => {
    await create();
    for (const cause of ['a', 'b', 'c', 'd']) await announce({ cause });
    const another = createMessageSender({ db: site.db, outbound, sealingKeys: MASTER_KEYS, onError: () => {} });
    await Promise.all([send(), send(another), send(another)]);
    await send();
    expect(
      messages()
        .map(({ cause }) => cause)
        .sort(),
    ).toEqual(['a', 'b', 'c', 'd']);
  });

  test('a message that was claimed by a crashed process is sent again with the same id', async () => {
    await create();
    await announce();
    await sender.run();
    await sender.abort();
    await query(`update destination_messages set due_at = clock_timestamp() where message_id is not null`);
    await send();
    expect(new Set(messages().map(({ id }) => id)).size).toBe(1);
  });

  test('a slow receiver delays no other destination', async () => {
    const slow = await startHookReceiver(() => new Promise(() => {}));
    const rules = { allowHosts: [receiver.host, slow.host] };
    const client = createOutboundClient(rules);
    const both = createMessageSender({ db: site.db, outbound: client, sealingKeys: MASTER_KEYS, onError: () => {} });
    await create();
    const { destination } = (await create({ name: 'Slow' })).body;
    await pointTo(destination, slow.url);
    for (const cause of ['a', 'b', 'c']) await announce({ cause });
    await both.run();
    await until(() => slow.received.length === 1);
    await until(async () => {
      await both.run();
      return receiver.received.length === 3;
    });
    expect(slow.received).toHaveLength(1);
    await both.abort();
    await client.close();
    slow.close();
  });

  /** Lets the destination lead to another address on loopback. */
  async function pointTo({ id }: NoticeDestination, url: string): Promise<void> {
    const sealed = seal(secret(url), bindingOf(uuidOf(id), 'url'), MASTER_KEYS);
    await query('update notice_destinations set sealed_url = $1 where destination_id = $2', [sealed, uuidOf(id)]);
  }

  test('disabling a destination cancels waiting messages and aborts the attempt in flight', async () => {
    const { destination } = (await create()).body;
    await announce();
    await announce({ cause: 'another' });
    answerWith(() => new Promise(() => {}));
    await sender.run();
    await until(() => receiver.received.length === 1);
    await call('PATCH', `/${destination.id}`, { state: 'disabled' });
    await sender.run();
    await sender.whenIdle();
    answerWith(() => 204);
    await call('PATCH', `/${destination.id}`, { state: 'enabled' });
    await announce();
    await send();
    expect(receiver.received).toHaveLength(1);
    await passMinutes(60);
    await send();
    expect(receiver.received).toHaveLength(2);
  });

  test.each([
    "suspended_at = clock_timestamp(), suspended_reason = 'A test'",
    "delete_at = clock_timestamp() + interval '7 days'",
  ])('an organisation that ends receives nothing: %s', async (change) => {
    const other = await foundOrganisation(site);
    await other.owner.visitor.call('POST', other.base + DESTINATIONS, {
      ...{ kind: 'webhook', name: 'Alerts', url: receiver.url },
    });
    const organisationId = uuidOf(other.id);
    await announce({ organisationId, cause: 'before' });
    await query(`update organisations set ${change} where organisation_id = $1`, [organisationId]);
    await announce({ organisationId, cause: 'after' });
    await send();
    expect(receiver.received).toHaveLength(0);
    expect(await query('select cause from destination_messages where due_at is not null')).toEqual([]);
  });

  test('the times of messages are deleted after an hour', async () => {
    await create();
    await announce();
    await send();
    const count = async () => (await query('select from destination_messages')).length;
    expect(await count()).toBe(1);
    await passMinutes(60);
    await send();
    expect(await count()).toBe(0);
  });
});
