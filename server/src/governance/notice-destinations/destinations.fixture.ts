// An organisation with a receiver on loopback, to which its destinations of notices lead.
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Answer } from '../../../test/app.ts';
import { startConsole, type TestConsole } from '../../../test/console-app.ts';
import { MASTER_KEYS } from '../../../test/harness.ts';
import { foundOrganisation, type JoinedMember, type TestOrganisation } from '../../../test/organisation.fixture.ts';
import { uuidOf } from '../../../test/sweep/copied-rows.ts';
import { createOutboundClient, type OutboundClient } from '../../kit/outbound/outbound.ts';
import { startHookReceiver } from '../../webhooks/webhooks/hook-receiver.fixture.ts';
import type { NoticeDestination } from './destination.ts';
import type { WebhookMessage } from './message.ts';
import { createMessageSender, type MessageSender } from './send-messages.job.ts';
import { addToDestinations, type SentNotice } from './store.ts';

export let site: TestConsole;
export let home: TestOrganisation;
export let receiver: Awaited<ReturnType<typeof startHookReceiver>>;
export let outbound: OutboundClient;
export let sender: MessageSender;
let status: () => number | Promise<number>;
export const errors: unknown[] = [];

/** Starts everything for the tests of one file. */
export function useDestinations(): void {
  beforeAll(async () => {
    receiver = await startHookReceiver(() => status());
    site = await startConsole('local', { allowHosts: [receiver.host] });
    home = await foundOrganisation(site);
    outbound = createOutboundClient({ allowHosts: [receiver.host] });
  });
  afterAll(async () => {
    await outbound.close();
    receiver.close();
    await site.close();
  });
  beforeEach(async () => {
    await query('delete from notice_destinations');
    receiver.received.length = 0;
    errors.length = 0;
    status = () => 204;
    sender = createMessageSender({ db: site.db, outbound, sealingKeys: MASTER_KEYS, onError: (e) => errors.push(e) });
  });
  afterEach(() => sender.abort());
}

/** Answers later requests with this status. */
export function answerWith(statusOf: typeof status): void {
  status = statusOf;
}

export const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await site.database.superuser.query(text, values)).rows;
export const DESTINATIONS = '/notice-destinations';

interface CreatedDestination {
  destination: NoticeDestination;
  signingSecret: string;
}
export const create = (input: object = {}, by: JoinedMember = home.owner): Promise<Answer<CreatedDestination>> =>
  by.visitor.call('POST', home.base + DESTINATIONS, { kind: 'webhook', name: 'Alerts', url: receiver.url, ...input });
export const call = <Body>(method: string, path: string, body?: unknown, by: JoinedMember = home.owner) =>
  by.visitor.call<Body>(method, `${home.base}${DESTINATIONS}${path}`, body);
export const list = async (): Promise<NoticeDestination[]> =>
  (await call<{ data: NoticeDestination[] }>('GET', '')).body.data;

export const noticeOf = (changes: Partial<SentNotice> = {}): SentNotice => ({
  organisationId: uuidOf(home.id),
  environment: 'sandbox',
  kind: 'endpoint_disabled',
  cause: 'endpoint_disabled whe_1',
  message: { subject: 'It was disabled', text: 'The endpoint was disabled.', link: 'http://localhost:7000/cause' },
  notice: null,
  ...changes,
});
export const announce = (changes: Partial<SentNotice> = {}): Promise<void> =>
  site.db.transaction((tx) => addToDestinations(tx, noticeOf(changes)));
/** Sends due messages until none is left. */
export async function send(by: MessageSender = sender): Promise<void> {
  for (let sent = -1; sent < receiver.received.length; ) {
    sent = receiver.received.length;
    await by.run();
    await by.whenIdle();
  }
}
export const passMinutes = (minutes: number): Promise<unknown[]> =>
  query(
    `update destination_messages set due_at = due_at - make_interval(mins => $1),
       attempted_at = attempted_at - make_interval(mins => $1)`,
    [minutes],
  );
export const messages = (): WebhookMessage[] => receiver.received.map(({ body }) => JSON.parse(body.toString()));
