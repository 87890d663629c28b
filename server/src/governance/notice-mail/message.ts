// The text about a notice, and its mail. Members and servers chose the names, so they are quoted and cannot add lines.
import { showHidden } from '../../kit/text/name-pattern.ts';
import { utcMinute } from '../../kit/text/utc-minute.ts';
import type { NewMessage } from '../../platform/mail/index.ts';
import type { NoticeMessage, PendingNotice } from '../../platform/notices/index.ts';

/** The subject and the text of a notice, or of a mail. */
export type MailText = Omit<NewMessage, 'to'>;

/** Returns the text about the notice, and the address of its cause in the Console. */
export function messageOf(pending: PendingNotice, environment: string, consoleUrl: string): NoticeMessage {
  const notice = toSafe(pending);
  const { subject, which, paragraphs } = NOTICE_TEXTS[notice.kind](notice);
  const of = `${which} of the app "${notice.appName}" in the ${environment}`;
  const link = `${consoleUrl}/${environment}/${notice.organisationId}/apps/${notice.appId}/${pathOf(notice)}`;
  return { subject, text: `${of} ${paragraphs.join('\n\n')}`, link };
}

/** Returns the message as a mail, which ends with the address of the cause. */
export const toMailText = ({ subject, text, link }: NoticeMessage): MailText => ({
  subject,
  text: `${text}\n\n${link}`,
});

/** Returns the notice with the texts of unauthenticated callers in a form that cannot mislead a reader. */
function toSafe(notice: PendingNotice): PendingNotice {
  const { server, foundAt } = notice;
  return {
    ...notice,
    foundAt: foundAt && unlink(foundAt),
    ...(server && { server: { ...server, name: unlink(showHidden(server.name)) } }),
  };
}

/**
 * Puts brackets around the colons and dots of addresses, because mail programs turn addresses into links. Callers,
 * servers and reporters of leaks cannot put a link into a message.
 */
const unlink = (text: string): string => text.replace(/:(?=\/\/)|\.(?=\S)/g, '[$&]');

/** Returns the path of the cause below the page of the app. */
function pathOf({ kind, endpointId, keyId, deliveryId, server }: PendingNotice): string {
  if (server) return `installations/history?server=${server.id}`;
  if (deliveryId) return `webhooks/endpoints/${endpointId}?status=failed&delivery=${deliveryId}`;
  if (endpointId !== null) return `webhooks/endpoints/${endpointId}`;
  if (kind === 'event_scopes') return 'overview';
  if (kind === 'deprecation_announced') return 'requests?view=deprecated';
  if (kind === 'key_in_browser') return `requests?key=${keyId}&code=browser_use`;
  return kind === 'key_leaked' ? `requests?key=${keyId}` : 'keys';
}

/** The notices of one cause, and the number of notices beyond them. */
interface CauseMessages {
  waiting: readonly MailText[];
  further: number;
}

// Characters. The outbox stores at most 20,000 of a mail.
const MAX_PART = 4_000;
const MAX_PARTS = 18_000;

const cut = (text: string): string => (text.length <= MAX_PART ? text : `${text.slice(0, MAX_PART).toWellFormed()}…`);

/** Returns one mail about these causes. `settingsUrl` is the page on which a member changes the mail settings. */
export function combineMessages(causes: readonly CauseMessages[], settingsUrl: string): MailText {
  const messages = causes.flatMap(({ waiting, further }) => [
    ...waiting,
    ...waiting.slice(-1).flatMap(({ subject }) => (further === 0 ? [] : [toFurther(subject, further)])),
  ]);
  const footer = `You receive this mail because you are an owner or admin of the organisation, created the object, or chose to receive it. To change this, open "Mail settings" at\n${settingsUrl}\n`;
  const [first] = messages;
  if (first !== undefined && messages.length === 1)
    return { subject: first.subject, text: `${cut(first.text)}\n\n${footer}` };
  const parts: string[] = [];
  let length = 0;
  for (const { subject, text } of messages) {
    const part = cut(`${parts.length + 1}. ${subject}\n\n${text}`);
    length += part.length + 2; // and an empty line
    if (length > MAX_PARTS) break;
    parts.push(part);
  }
  if (parts.length < messages.length) parts.push('The Console lists the other notices.');
  const count = causes.reduce((sum, { waiting, further }) => sum + waiting.length + further, 0);
  return { subject: `${count} notices from Slipway`, text: [...parts, footer].join('\n\n') };
}

const toFurther = (subject: string, further: number): MailText => ({
  subject: `${further} further: ${subject}`,
  text: 'The Console lists each of these notices.',
});

interface NoticeText {
  subject: string;
  which: string;
  /** The first paragraph begins after the name of the object. */
  paragraphs: string[];
}

const NOTICE_TEXTS: Record<PendingNotice['kind'], (notice: PendingNotice) => NoticeText> = {
  key_expires: (notice) => ({
    subject: `The key "${notice.keyName}" expires in ${days(notice.daysAhead)}`,
    which: nameKey(notice),
    paragraphs: [
      `expires on ${utcMinute(notice.expiresAt)}. An expiry cannot be moved.`,
      'Rotate the key before it expires. Its successor takes over endpoints and deliveries. Both keys work for up to 24 hours, so that you can change the integrations that use the old key.',
    ],
  }),
  key_leaked: (notice) => ({
    subject: `The key "${notice.keyName}" was reported as leaked and is revoked`,
    which: nameKey(notice),
    paragraphs: [
      'was reported by a person who holds it. Slipway revoked it immediately: requests with the key are refused, and no delivery through it begins.',
      ...(notice.foundAt === null
        ? []
        : [`It was found at ${notice.foundAt}\nThe brackets keep programs from turning the address into a link.`]),
      'Generate another key. Use the Request Inspector to see which requests used the revoked key.',
    ],
  }),
  key_in_browser: (notice) => ({
    subject: `A page in a browser used the key "${notice.keyName}"`,
    which: nameKey(notice),
    paragraphs: [
      `was used by a page in a browser. Slipway refused the request.\n\n${pageOf(notice)}`,
      'Everyone who can open the page can read the key. Call the API from your server, generate another key for it, and revoke this key. If only you can open the page, for example through a development proxy, move the call to your server before you publish the page.',
      'Slipway sends this notice at most once a day for each origin, and at most five times a day for each key.',
    ],
  }),
  event_scopes: (notice) => {
    const { events, deliveries, enforcedFrom } = withheldOf(notice);
    return {
      subject: `Events of the app "${notice.appName}" need further scopes from ${enforcedFrom} on`,
      which: 'Events with a resource',
      paragraphs: [
        `need the grant of their resource's scope from ${enforcedFrom} on. Until then, events:read alone is enough for this app.`,
        `Under the current grants the rule will withhold such events from the feed and from webhooks: ${events} of the newest events and ${deliveries} of the newest deliveries, counted on ${notice.createdAt.slice(0, 10)}.`,
        'The overview of the app in the Console lists the events, the deliveries and the missing scopes, under "Scopes of events". To keep such events, get the missing scopes authorised before the date. The same section enforces the rule early.',
        'Slipway sends this notice once for each app.',
      ],
    };
  },
  deprecation_announced: (notice) => {
    const { title, replacement, ends, daysAhead, requests, requestIds, endpoints, endpointIds } = deprecationOf(notice);
    const plain = title.replaceAll('`', '');
    const uses = [
      ...(requests > 0
        ? [`Requests of the last 30 days: ${requests}. Newest: ${requestIds.join(', ') || 'not recorded'}.`]
        : []),
      ...(endpoints > 0 ? [`Endpoints that receive it: ${endpoints}. Newest: ${endpointIds.join(', ')}.`] : []),
    ];
    return {
      subject:
        daysAhead === null
          ? `Deprecated: ${plain}, used by the app "${notice.appName}"`
          : `Ends in at most ${daysAhead} days: ${plain}, used by the app "${notice.appName}"`,
      which: 'A request or endpoint',
      paragraphs: [
        `uses a deprecated part of the API, which ends on ${ends}: ${plain}.`,
        ...uses,
        replacement.replaceAll('`', ''),
        'For a field of a response, every successful call of an operation that returns it counts, because Slipway does not know which fields the app reads. To receive no further notice about this deprecation, acknowledge or snooze it in the Console.',
      ],
    };
  },
  endpoint_failing: (notice) => ({
    subject: `Nothing has reached the endpoint at ${notice.endpointHost} for ${days(notice.daysFailing)}`,
    which: nameEndpoint(notice),
    paragraphs: [
      `has had only failed deliveries for ${days(notice.daysFailing)}. After five days Slipway disables the endpoint. One success resets the count.`,
      'The Console shows the result of each attempt under Webhooks. A delivery is attempted ten times over 75 hours. On the same page you can redeliver a failed delivery.',
    ],
  }),
  endpoint_keys_end: (notice) => ({
    subject: `The last key of the endpoint at ${notice.endpointHost} expires soon`,
    which: nameEndpoint(notice),
    paragraphs: [
      `has no valid key after ${utcMinute(notice.expiresAt)}, when the key "${notice.keyName}" (${notice.kid}) expires. Deliveries stop then, and waiting deliveries are cancelled.`,
      'Rotate the key, or add another key to the endpoint in the Console under Webhooks. The signing secret does not change.',
    ],
  }),
  installation_paused: (notice) => ({
    subject: `The server "${notice.server?.name}" paused the app "${notice.appName}"`,
    which: nameInstallation(notice),
    paragraphs: [
      'was paused by the server. Calls to the server are refused, and deliveries of its events are held until the server authorises the app again.',
    ],
  }),
  installation_revoked: (notice) => ({
    subject: `The server "${notice.server?.name}" revoked the app "${notice.appName}"`,
    which: nameInstallation(notice),
    paragraphs: [
      'was revoked by the server. Calls to the server are refused, and waiting deliveries of its events are cancelled.',
    ],
  }),
  endpoint_recovered: (notice) => ({
    subject: `The endpoint at ${notice.endpointHost} works again`,
    which: nameEndpoint(notice),
    paragraphs: [
      'had a successful delivery, or was enabled again, after Slipway reported a failure.',
      'Deliveries that failed in the meantime are not repeated. You can redeliver them on the page of the endpoint.',
    ],
  }),
  delivery_exhausted: (notice) => ({
    subject: `A delivery to the endpoint at ${notice.endpointHost} failed for the last time`,
    which: nameEndpoint(notice),
    paragraphs: [
      'did not accept a delivery, and Slipway makes no further attempt.',
      'The page of the endpoint lists failed deliveries with their attempts and redelivers them. Slipway writes this notice at most once an hour for each endpoint.',
    ],
  }),
  endpoint_disabled: (notice) => ({
    subject: `The endpoint at ${notice.endpointHost} was disabled`,
    which: nameEndpoint(notice),
    paragraphs: [
      `was disabled: ${notice.disabledReason}`,
      'Slipway sends nothing more to the endpoint. Further deliveries are recorded as skipped. When the receiver works again, enable the endpoint in the Console. Then you can redeliver the skipped deliveries.',
    ],
  }),
};

const nameKey = ({ keyName, kid }: PendingNotice): string => `The key "${keyName}" (${kid})`;
const nameInstallation = ({ server }: PendingNotice): string =>
  `The installation on the server "${server?.name}" (${server?.id})`;
const nameEndpoint = ({ endpointHost, endpointId }: PendingNotice): string =>
  `The endpoint at ${endpointHost} (${endpointId})`;

function withheldOf({ id, withheld }: PendingNotice): NonNullable<PendingNotice['withheld']> {
  if (!withheld) throw new Error(`The notice ${id} has no counts of withheld events.`);
  return withheld;
}

function deprecationOf({ id, deprecation }: PendingNotice): NonNullable<PendingNotice['deprecation']> {
  if (!deprecation) throw new Error(`The notice ${id} has no deprecation.`);
  return deprecation;
}

const pageOf = ({ pageOrigin }: PendingNotice): string =>
  pageOrigin
    ? `Origin of the page: ${unlink(pageOrigin)}\nThe brackets keep programs from turning the origin into a link. A caller with the key can name any origin.`
    : 'The page has an origin that cannot be shown.';

const days = (count: number | null): string => (count === 1 ? 'a day' : `${count} days`);
