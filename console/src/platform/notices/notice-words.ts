// Describes a notice: what happened, and what to do.
import type { Notice } from '../../kit/api.ts';
import { ENVIRONMENT } from '../../kit/here.ts';
import { grouped } from '../../kit/number.ts';
import type { Tone } from '../../kit/state-badge.tsx';

const days = (count: number | null): string => (count === 1 ? 'a day' : `${count ?? 'some'} days`);

export interface NoticeWords {
  tone: Tone;
  badge: string;
  title: string;
  mend: string;
}

const pageOf = ({ pageOrigin }: Notice): string =>
  pageOrigin === null ? 'A page with an origin that cannot be shown' : `A page of ${pageOrigin}`;

const withheldTitle = ({ appName, withheld }: Notice): string =>
  `From ${withheld?.enforcedFrom ?? 'the announced day'}, ${appName} loses events in the ${ENVIRONMENT}`;

export function wordsOfNotice(notice: Notice): NoticeWords {
  const key = `The key “${notice.keyName}”`;
  const endpoint = `the endpoint at ${notice.endpointHost ?? 'an address that is gone'}`;
  switch (notice.kind) {
    case 'key_expires':
      return {
        ...{ tone: 'warning', badge: 'expiry', title: `${key} expires in ${days(notice.daysAhead)}` },
        mend: 'Replace it before: from then on its calls are refused, and nothing is delivered through it.',
      };
    case 'key_leaked':
      return {
        ...{ tone: 'bad', badge: 'leak', title: `${key} was reported as leaked, and is revoked` },
        mend: 'Generate another, and look at which requests were made with this one.',
      };
    case 'key_in_browser':
      return {
        ...{ tone: 'bad', badge: 'browser', title: `${pageOf(notice)} used the key “${notice.keyName}”` },
        mend: 'Slipway refused the request. Everyone who can open the page can read the key: call the API from your server, generate another key for it, and revoke this one.',
      };
    case 'event_scopes':
      return {
        ...{ tone: 'warning', badge: 'scopes', title: withheldTitle(notice) },
        mend: `From then on, an event with a resource also requires the scope of the resource. When this notice was written, the rule would have withheld ${grouped(notice.withheld?.events ?? 0)} of the newest events and ${grouped(notice.withheld?.deliveries ?? 0)} of the newest deliveries. The app’s overview lists them with the missing scopes.`,
      };
    case 'endpoint_failing':
      return {
        ...{
          tone: 'warning',
          badge: 'failing',
          title: `Everything to ${endpoint} has failed for ${days(notice.daysFailing)}`,
        },
        mend: 'Look at what it answers. After five days it is disabled.',
      };
    case 'endpoint_disabled':
      return {
        ...{ tone: 'bad', badge: 'disabled', title: `Slipway disabled ${endpoint}` },
        mend: 'Mend the receiver, enable the endpoint, and redeliver what it missed.',
      };
    case 'platform_failing':
      return {
        ...{ tone: 'bad', badge: 'platform', title: `${notice.appName} was given no answer by the platform` },
        mend: `What it answered to ${notice.operationId ?? 'a request'} does not fit the contract, so the app was told 502. It is not the app’s fault, and operators see it too.`,
      };
    // A newer server can send kinds that this page does not know.
    default:
      return {
        ...{ tone: 'none', badge: 'notice', title: `A notice about ${notice.appName}` },
        mend: 'Reload the page to read it: the environment is newer than the page.',
      };
  }
}
