// Describes a notice: what happened, and what to do.
import type { Notice } from '../../kit/api.ts';
import { ENVIRONMENT } from '../../kit/environment-path.ts';
import { counted, grouped } from '../../kit/number.ts';
import type { Tone } from '../../kit/state-badge.tsx';

const days = (count: number | null): string => (count === 1 ? 'a day' : `${count ?? 'some'} days`);

export interface NoticeText {
  tone: Tone;
  badge: string;
  title: string;
  fix: string;
}

const pageOf = ({ pageOrigin }: Notice): string =>
  pageOrigin === null ? 'A page with an unknown origin' : `A page of ${pageOrigin}`;

const withheldTitle = ({ appName, withheld }: Notice): string =>
  `From ${withheld?.enforcedFrom ?? 'the announced date'}, ${appName} loses events in the ${ENVIRONMENT}`;

const deprecationTitle = ({ appName, deprecation }: Notice): string =>
  `${appName} uses a deprecated part of the API, which ends on ${deprecation?.ends ?? 'the announced date'}`;

const usesOf = ({ deprecation }: Notice): string => {
  const requests = deprecation?.requests ?? 0;
  const endpoints = deprecation?.endpoints ?? 0;
  const parts = [
    ...(requests > 0 ? [counted(requests, 'request')] : []),
    ...(endpoints > 0 ? [counted(endpoints, 'endpoint')] : []),
  ];
  return parts.join(' and ');
};

const withoutTicks = (text = ''): string => text.replaceAll('`', '');

const serverOf = ({ server }: Notice): string => `The server “${server?.name ?? 'without a name'}”`;

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function describeNotice(notice: Notice): NoticeText {
  const key = `The key “${notice.keyName}”`;
  const endpoint = `the endpoint at ${notice.endpointHost ?? 'a deleted address'}`;
  switch (notice.kind) {
    case 'key_expires':
      return {
        ...{ tone: 'warning', badge: 'expiry', title: `${key} expires in ${days(notice.daysAhead)}` },
        fix: 'Replace the key before then. Afterwards its calls are refused, and nothing is delivered through it.',
      };
    case 'key_leaked':
      return {
        ...{ tone: 'bad', badge: 'leak', title: `${key} was reported as leaked, and is revoked` },
        fix: 'Generate a new key, and check which requests were made with the old one.',
      };
    case 'key_in_browser':
      return {
        ...{ tone: 'bad', badge: 'browser', title: `${pageOf(notice)} used the key “${notice.keyName}”` },
        fix: 'Slipway refused the request. Everyone who can open the page can read the key: call the API from your server, generate another key for it, and revoke this one.',
      };
    case 'event_scopes':
      return {
        ...{ tone: 'warning', badge: 'scopes', title: withheldTitle(notice) },
        fix: `From then on, an event with a resource also requires the scope of the resource. When this notice was written, the rule would have withheld ${grouped(notice.withheld?.events ?? 0)} of the newest events and ${grouped(notice.withheld?.deliveries ?? 0)} of the newest deliveries. The app’s overview lists them with the missing scopes.`,
      };
    case 'deprecation_announced':
      return {
        ...{ tone: 'warning', badge: 'deprecation', title: deprecationTitle(notice) },
        fix: `${withoutTicks(notice.deprecation?.title)}: ${usesOf(notice)}. ${withoutTicks(notice.deprecation?.replacement)}`,
      };
    case 'endpoint_failing':
      return {
        ...{
          tone: 'warning',
          badge: 'failing',
          title: `Everything to ${endpoint} has failed for ${days(notice.daysFailing)}`,
        },
        fix: 'Check the responses of the receiver. The endpoint is disabled after five days.',
      };
    case 'endpoint_keys_end':
      return {
        ...{ tone: 'warning', badge: 'expiry', title: `The last key of ${endpoint} expires soon` },
        fix: 'Rotate the key, or add another key to the endpoint. Otherwise its deliveries stop.',
      };
    case 'installation_paused':
      return {
        ...{ tone: 'warning', badge: 'paused', title: `${serverOf(notice)} paused ${notice.appName}` },
        fix: 'Calls to the server are refused, and deliveries of its events are held until it authorises the app again.',
      };
    case 'installation_revoked':
      return {
        ...{ tone: 'bad', badge: 'revoked', title: `${serverOf(notice)} revoked ${notice.appName}` },
        fix: 'Calls to the server are refused, and waiting deliveries of its events are cancelled.',
      };
    case 'endpoint_recovered':
      return {
        ...{ tone: 'good', badge: 'works', title: `${sentence(endpoint)} works again` },
        fix: 'Redeliver the deliveries that failed in the meantime.',
      };
    case 'delivery_exhausted':
      return {
        ...{ tone: 'bad', badge: 'delivery', title: `The last attempt of a delivery to ${endpoint} failed` },
        fix: 'Check the response of the receiver, and redeliver failed deliveries. This notice is written at most once an hour for each endpoint.',
      };
    case 'endpoint_disabled':
      return {
        ...{ tone: 'bad', badge: 'disabled', title: `Slipway disabled ${endpoint}` },
        fix: 'Fix the receiver, enable the endpoint, and redeliver the missed deliveries.',
      };
    case 'platform_failing':
      return {
        ...{ tone: 'bad', badge: 'upstream', title: `The upstream API gave no valid response to ${notice.appName}` },
        fix: `The response to ${notice.operationId ?? 'a request'} does not match the contract, so the app received 502. The app is not the cause, and operators see the failure too.`,
      };
    // A newer server can send kinds that this page does not know.
    default:
      return {
        ...{ tone: 'none', badge: 'notice', title: `A notice about ${notice.appName}` },
        fix: 'Reload the page to read the notice: the server is newer than the page.',
      };
  }
}
