// The mail of a notice. Names were entered by members, so they are quoted and cannot add lines.
import type { NewMessage } from '../../platform/mail/index.ts';
import type { PendingNotice } from '../../platform/notices/index.ts';

type MailText = Omit<NewMessage, 'to'>;

export function messageOf(notice: PendingNotice, environment: string, consoleUrl: string): MailText {
  const { subject, which, paragraphs, made } = NOTICE_TEXTS[notice.kind](notice);
  const of = `${which} of the app "${notice.appName}" in the ${environment}`;
  const where = `You receive this mail because you are an owner or admin of the app's organisation, or ${made}:\n${consoleUrl}`;
  return { subject, text: `${of} ${paragraphs.join('\n\n')}\n\n${where}\n` };
}

interface NoticeText {
  subject: string;
  which: string;
  /** The first paragraph begins after the name of the object. */
  paragraphs: string[];
  /** The action by which a person created the object. */
  made: string;
}

const NOTICE_TEXTS: Record<PendingNotice['kind'], (notice: PendingNotice) => NoticeText> = {
  key_expires: (notice) => ({
    subject: `The key "${notice.keyName}" expires in ${days(notice.daysAhead)}`,
    ...ofKey(notice),
    paragraphs: [
      `expires on ${notice.expiresAt.slice(0, 10)} at ${notice.expiresAt.slice(11, 16)} UTC. An expiry cannot be moved.`,
      'Rotate the key before it expires. Its successor takes over endpoints and deliveries. Both keys work for up to 24 hours, so that you can change the integrations that use the old key.',
    ],
  }),
  key_leaked: (notice) => ({
    subject: `The key "${notice.keyName}" was reported as leaked and is revoked`,
    ...ofKey(notice),
    paragraphs: [
      'was reported by a person who holds it. Slipway revoked it immediately: requests with the key are refused, and no delivery through it begins.',
      ...(notice.foundAt === null ? [] : [`It was found at ${notice.foundAt}`]),
      'Generate another key. Use the Request Inspector to see which requests used the revoked key.',
    ],
  }),
  key_in_browser: (notice) => ({
    subject: `A page in a browser used the key "${notice.keyName}"`,
    ...ofKey(notice),
    paragraphs: [
      `was used by a page in a browser. Slipway refused the request.\n\n${pageOf(notice)}`,
      'Everyone who can open the page can read the key. Call the API from your server, generate another key for it, and revoke this key. If only you can open the page, for example through a development proxy, move the call to your server before you publish the page.',
      'Slipway sends this mail at most once a day for each origin, and at most five times a day for each key.',
    ],
  }),
  event_scopes: (notice) => {
    const { events, deliveries, enforcedFrom } = withheldOf(notice);
    return {
      subject: `Events of the app "${notice.appName}" need further scopes from ${enforcedFrom} on`,
      which: 'Events with a resource',
      made: 'generated its newest key that reads events',
      paragraphs: [
        `need the grant of their resource's scope from ${enforcedFrom} on. Until then, events:read alone is enough for this app.`,
        `Under the current grants the rule will withhold such events from the feed and from webhooks: ${events} of the newest events and ${deliveries} of the newest deliveries, counted on ${notice.createdAt.slice(0, 10)}.`,
        'The overview of the app in the Console lists the events, the deliveries and the missing scopes, under "Scopes of events". To keep such events, get the missing scopes authorised before the date. The same section enforces the rule early.',
        'Slipway sends this mail once for each app.',
      ],
    };
  },
  endpoint_failing: (notice) => ({
    subject: `Nothing has reached the endpoint at ${notice.endpointHost} for ${days(notice.daysFailing)}`,
    ...ofEndpoint(notice),
    paragraphs: [
      `has had only failed deliveries for ${days(notice.daysFailing)}. After five days Slipway disables the endpoint. One success resets the count.`,
      'The Console shows the result of each attempt under Webhooks. A delivery is attempted ten times over 75 hours. On the same page you can redeliver a failed delivery.',
    ],
  }),
  endpoint_keys_end: (notice) => ({
    subject: `The last key of the endpoint at ${notice.endpointHost} expires soon`,
    ...ofEndpoint(notice),
    paragraphs: [
      `has no valid key after ${notice.expiresAt.slice(0, 10)} at ${notice.expiresAt.slice(11, 16)} UTC, when the key "${notice.keyName}" (${notice.kid}) expires. Deliveries stop then, and waiting deliveries are cancelled.`,
      'Rotate the key, or add another key to the endpoint in the Console under Webhooks. The signing secret does not change.',
    ],
  }),
  endpoint_disabled: (notice) => ({
    subject: `The endpoint at ${notice.endpointHost} was disabled`,
    ...ofEndpoint(notice),
    paragraphs: [
      `was disabled: ${notice.disabledReason}`,
      'Slipway sends nothing more to the endpoint. Further deliveries are recorded as skipped. When the receiver works again, enable the endpoint in the Console. Then you can redeliver the skipped deliveries.',
    ],
  }),
};

const ofKey = ({ keyName, kid }: PendingNotice): Pick<NoticeText, 'which' | 'made'> => ({
  which: `The key "${keyName}" (${kid})`,
  made: 'generated the key',
});
const ofEndpoint = ({ endpointHost, endpointId }: PendingNotice): Pick<NoticeText, 'which' | 'made'> => ({
  which: `The endpoint at ${endpointHost} (${endpointId})`,
  made: 'added the endpoint',
});

function withheldOf({ id, withheld }: PendingNotice): NonNullable<PendingNotice['withheld']> {
  if (!withheld) throw new Error(`The notice ${id} has no counts of withheld events.`);
  return withheld;
}

// Mail programs turn addresses into links. The origin comes from the caller, so it must not become a link.
const pageOf = ({ pageOrigin }: PendingNotice): string =>
  pageOrigin
    ? `Origin of the page: ${pageOrigin.replace('://', '[:]//').replaceAll('.', '[.]')}\nThe brackets keep mail programs from turning the origin into a link. A caller with the key can name any origin.`
    : 'The page has an origin that cannot be shown.';

const days = (count: number | null): string => (count === 1 ? 'a day' : `${count} days`);
