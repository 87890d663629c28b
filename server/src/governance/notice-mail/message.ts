// The mail of a notice. Names were entered by members, so they are quoted and cannot add lines.
import type { NewMessage } from '../../platform/mail/index.ts';
import type { UntakenNotice } from '../../platform/notices/index.ts';

type Text = Omit<NewMessage, 'to'>;

export function messageOf(notice: UntakenNotice, environment: string, consoleUrl: string): Text {
  const { subject, which, paragraphs, made } = SAYS[notice.kind](notice);
  const of = `${which} of the app "${notice.appName}" in the ${environment}`;
  const where = `You get this because you are an owner or admin of its organisation, or ${made}:\n${consoleUrl}`;
  return { subject, text: `${of} ${paragraphs.join('\n\n')}\n\n${where}\n` };
}

interface Saying {
  subject: string;
  which: string;
  /** The first paragraph begins after the name of the object. */
  paragraphs: string[];
  /** The action by which a person created the object. */
  made: string;
}

const SAYS: Record<UntakenNotice['kind'], (notice: UntakenNotice) => Saying> = {
  key_expires: (notice) => ({
    subject: `The key "${notice.keyName}" expires in ${days(notice.daysAhead)}`,
    ...ofKey(notice),
    paragraphs: [
      `expires on ${notice.expiresAt.slice(0, 10)} at ${notice.expiresAt.slice(11, 16)} UTC. An expiry cannot be moved.`,
      'Rotate the key before: its successor takes over endpoints and deliveries, and both keys work for up to 24 hours, so that whatever uses it can be told.',
    ],
  }),
  key_leaked: (notice) => ({
    subject: `The key "${notice.keyName}" was reported as leaked and is revoked`,
    ...ofKey(notice),
    paragraphs: [
      'was reported by somebody who holds it. It was revoked at once: no request with it is accepted any more, and no delivery through it begins.',
      ...(notice.foundAt === null ? [] : [`It was found at ${notice.foundAt}`]),
      'Generate another key, and look in the Request Inspector for what was done with this one.',
    ],
  }),
  key_in_browser: (notice) => ({
    subject: `A page in a browser used the key "${notice.keyName}"`,
    ...ofKey(notice),
    paragraphs: [
      `was used by a page in a browser. Slipway refused the request.\n\n${pageOf(notice)}`,
      'Everyone who can open the page can read the key. Call the API from your server, generate another key for it, and revoke this key. If only you can open the page, for example through a development proxy, move the call to your server before you publish the page.',
      'You get one such mail a day for each origin, and at most five a day for each key.',
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
      `has had nothing but failures for ${days(notice.daysFailing)}. After five days it is disabled; one success ends the count.`,
      'What each attempt came to is in the Console, under Webhooks. Deliveries are attempted ten times over 75 hours; one that has failed for good can be made again from there.',
    ],
  }),
  endpoint_disabled: (notice) => ({
    subject: `The endpoint at ${notice.endpointHost} was disabled`,
    ...ofEndpoint(notice),
    paragraphs: [
      `was disabled: ${notice.disabledReason}`,
      'Nothing is sent to it any more. What happens meanwhile is recorded as skipped. Enable it in the Console when its receiver is well again; what it missed can be delivered then.',
    ],
  }),
};

const ofKey = ({ keyName, kid }: UntakenNotice): Pick<Saying, 'which' | 'made'> => ({
  which: `The key "${keyName}" (${kid})`,
  made: 'generated the key',
});
const ofEndpoint = ({ endpointHost, endpointId }: UntakenNotice): Pick<Saying, 'which' | 'made'> => ({
  which: `The endpoint at ${endpointHost} (${endpointId})`,
  made: 'added the endpoint',
});

function withheldOf({ id, withheld }: UntakenNotice): NonNullable<UntakenNotice['withheld']> {
  if (!withheld) throw new Error(`The notice ${id} has no counts of withheld events.`);
  return withheld;
}

// Mail programs turn addresses into links. The origin comes from the caller, so it must not become a link.
const pageOf = ({ pageOrigin }: UntakenNotice): string =>
  pageOrigin
    ? `Origin of the page: ${pageOrigin.replace('://', '[:]//').replaceAll('.', '[.]')}\nThe brackets keep mail programs from making a link of it. A caller with the key can name any origin.`
    : 'The page has an origin that cannot be shown.';

const days = (count: number | null): string => (count === 1 ? 'a day' : `${count} days`);
