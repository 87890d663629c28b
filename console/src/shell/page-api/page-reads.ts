// Maps every address of the Console to the management API reads of its page. An address without an entry does not
// compile. Pure functions.
import type { RegisteredRouter } from '@tanstack/react-router';
import { toReviewsSearch } from '../../governance/live-access/search.ts';
import { toMessagesSearch } from '../../governance/operator/search.ts';
import { toAuditSearch, toFilter } from '../../inspector/audit/search.ts';
import { toEventFilter, toEventsSearch } from '../../inspector/events/search.ts';
import { filtersOf } from '../../inspector/requests/filters.ts';
import { toRequestsSearch } from '../../inspector/requests/search.ts';
import { defined } from '../../kit/api.ts';
import { toNoticesSearch } from '../../platform/notices/search.ts';
import { toDataSearch } from '../../sandbox/data/search.ts';
import { toAccessSearch, toHistorySearch } from '../../tenancy/installations/search.ts';
import { deliveryFiltersOf } from '../../webhooks/webhooks/delivery-filters.ts';
import {
  type EndpointView,
  endpointViewOf,
  toEndpointSearch,
  toRedeliveriesSearch,
  toWebhooksSearch,
} from '../../webhooks/webhooks/search.ts';
import { toHistogramQuery } from '../../webhooks/webhooks/use-attempt-histogram.ts';
import { type PageRead, read } from './snippets.ts';

/** The current location: parameters of the path, and search parameters. */
export interface PageLocation {
  params: { organisationId: string; appId: string; endpointId: string; requestId: string };
  search: Readonly<Record<string, unknown>>;
  nowMs: number;
}

/** Addresses of layouts and redirects, also those of the operator pages and the reference. */
export type Layout =
  | ''
  | '/operator'
  | '/operator/'
  | '/sandbox/$'
  | '/production/$'
  | '/organisations/$organisationId'
  | '/in/$organisationId'
  | '/in/$organisationId/'
  | '/in/$organisationId/apps/$appId'
  | '/in/$organisationId/apps/$appId/'
  | '/in/$organisationId/apps/$appId/reference/';

type Address = keyof RegisteredRouter['routesByPath'];
/** Addresses for visitors, and addresses that redirect. */
type AddressWithoutReads =
  | Layout
  | '/'
  | '/sign-in'
  | '/sign-in/provider'
  | '/sign-up'
  | '/reset-password'
  | '/cancel-removal'
  | '/confirm-email'
  | '/restore-email'
  | '/invitation'
  | '/device';
export type PageAddress = Exclude<Address, AddressWithoutReads>;

const APP = '/in/$organisationId/apps/$appId';
const ENDPOINT = `${APP}/webhooks/endpoints/$endpointId` as const;
const DRILL = `${ENDPOINT}/drill` as const;
const DOCTOR = `${ENDPOINT}/signature` as const;
const contract = ({ params: { organisationId } }: PageLocation): PageRead[] => [
  read('getContract', { organisationId }),
];

/**
 * Returns the value if it is an identifier. An address is untrusted input, so nothing else becomes part of another
 * address.
 */
const idIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[a-z]{3}_\w{26}$/.test(value) ? value : undefined;

function ofRequests({ params: { organisationId, appId }, search, nowMs }: PageLocation): PageRead[] {
  const scope = { organisationId, appId };
  const input = toRequestsSearch(search);
  const filters = filtersOf(input, nowMs);
  const requestId = idIn(input.request);
  if (input.view === 'deprecated') return [read('listDeprecatedUses', scope)];
  return [
    ...(requestId === undefined
      ? []
      : [read('getRequest', { ...scope, requestId }), read('getRequestSnippets', { ...scope, requestId })]),
    input.view === 'problems'
      ? read('getRequestGroups', { ...scope, ...filters })
      : read('listRequests', { ...scope, ...filters, limit: 50 }),
    read('getRequestHistogram', { ...scope, ...filters }),
    read('listRecordGaps', scope),
  ];
}

function ofEvents({ params: { organisationId, appId }, search, nowMs }: PageLocation): PageRead[] {
  const scope = { organisationId, appId };
  const input = toEventsSearch(search);
  const { subject, server, ...rest } = input;
  const filter = toEventFilter({ ...rest, ...defined({ subject: idIn(subject), server: idIn(server) }) }, nowMs);
  const eventId = idIn(input.event);
  return [
    ...(eventId === undefined ? [] : [read('getTrace', { ...scope, tracedId: eventId })]),
    read('listAppEvents', { ...scope, ...filter, limit: 50 }),
  ];
}

function ofWebhooks({ params: { organisationId, appId }, search, nowMs }: PageLocation): PageRead[] {
  const scope = { organisationId, appId };
  const input = toWebhooksSearch(search);
  const filters = deliveryFiltersOf(input, nowMs);
  const deliveryId = idIn(input.delivery);
  return [
    ...(deliveryId === undefined ? [] : [read('getDelivery', { ...scope, deliveryId })]),
    read('listDeliveries', { ...scope, ...filters, limit: 25 }),
    read('listEndpoints', scope),
  ];
}

function ofEndpoint({ params, search, nowMs }: PageLocation): PageRead[] {
  const { endpointId, ...scope } = params;
  const input = toEndpointSearch(search);
  const deliveryId = idIn(input.delivery);
  const ofView: Readonly<Record<EndpointView, () => PageRead[]>> = {
    overview: () => [read('getAttemptHistogram', { ...params, ...toHistogramQuery(input.charts, nowMs) })],
    deliveries: () => [
      read('listDeliveries', {
        ...scope,
        ...deliveryFiltersOf({ ...input, endpoint: endpointId }, nowMs),
        limit: 25,
      }),
    ],
    settings: () => [read('listKeys', scope)],
    test: () => [],
  };
  return [
    ...(deliveryId === undefined ? [] : [read('getDelivery', { ...scope, deliveryId })]),
    read('getEndpoint', params),
    ...ofView[endpointViewOf(input)](),
  ];
}

export const PAGE_READS: Readonly<Record<PageAddress, (place: PageLocation) => PageRead[]>> = {
  '/organisations': () => [read('getSession', {})],
  '/account': () => [read('getSession', {}), read('listSessions', {})],
  '/operator/organisations': () => [read('listOrganisations', {})],
  '/operator/messages': ({ search }) => {
    const { message, state } = toMessagesSearch(search);
    const messageId = idIn(message);
    return [
      ...(messageId === undefined ? [] : [read('getMessage', { messageId })]),
      read('listMessages', defined({ state })),
    ];
  },
  '/operator/live-access': ({ search }) => [read('listLiveAccessReviews', toReviewsSearch(search))],
  '/operator/live-access/$requestId': ({ params: { requestId } }) => [
    read('getLiveAccessReview', { liveAccessRequestId: requestId }),
  ],
  '/operator/platform': () => [read('listUpstreamFailures', {})],
  '/operator/requests': () => [read('listUnauthenticatedRequests', { environment: 'sandbox' })],
  '/operator/sign-up': () => [read('getSignUpPolicy', {})],
  '/organisations/$organisationId/team': ({ params: { organisationId } }) => [
    read('listMembers', { organisationId }),
    read('listInvitations', { organisationId }),
    read('listAccessTokens', { organisationId }),
  ],
  '/organisations/$organisationId/audit': ({ params: { organisationId }, search }) => {
    const input = toAuditSearch(search);
    const entryId = idIn(input.entry);
    return [
      read('listAuditLog', { organisationId, ...(entryId === undefined ? toFilter(input) : { entryId }), limit: 50 }),
    ];
  },
  '/organisations/$organisationId/settings': ({ params: { organisationId } }) => [
    read('getOrganisationDeletion', { organisationId }),
    read('listMembers', { organisationId }),
  ],
  '/in/$organisationId/apps': ({ params: { organisationId } }) => [read('listApps', { organisationId })],
  '/in/$organisationId/notices': ({ params: { organisationId }, search }) => {
    const { view, ...filter } = toNoticesSearch(search);
    if (view === undefined) return [read('listNotices', { organisationId, ...filter })];
    return [
      read('listNoticeDestinations', { organisationId, limit: 50 }),
      read('getNoticeMailSettings', { organisationId }),
    ];
  },
  [`${APP}/overview`]: ({ params: { organisationId, appId } }) => [
    read('getEventScopes', { organisationId, appId }),
    read('getRequestHistogram', { organisationId, appId }),
    read('listRequests', { organisationId, appId, limit: 6 }),
    read('listKeys', { organisationId, appId }),
    read('listEndpoints', { organisationId, appId }),
    read('listDeliveries', { organisationId, appId, status: 'succeeded', limit: 1 }),
  ],
  [`${APP}/keys`]: ({ params: { organisationId, appId } }) => [read('listKeys', { organisationId, appId })],
  [`${APP}/installations`]: ({ params: { organisationId, appId } }) => [
    read('listInstallations', { organisationId, appId }),
  ],
  [`${APP}/installations/history`]: ({ params: { organisationId, appId }, search }) => {
    const { server, scope } = toHistorySearch(search);
    return [
      read('listInstallationChanges', {
        organisationId,
        appId,
        ...defined({ serverId: idIn(server), scope }),
        limit: 50,
      }),
    ];
  },
  [`${APP}/installations/access`]: ({ params: { organisationId, appId }, search }) => {
    const { operation = 'listServers', key, server, event } = toAccessSearch(search);
    const input = defined({ keyId: idIn(key), serverId: idIn(server), eventType: event });
    return [read('explainAccess', { organisationId, appId, operationId: operation, ...input })];
  },
  [`${APP}/webhooks`]: ofWebhooks,
  [`${APP}/drills`]: ({ params: { organisationId, appId } }) => [read('listEndpoints', { organisationId, appId })],
  [`${APP}/webhooks/redeliveries`]: ({ params: { organisationId, appId }, search }) => {
    const redeliveryId = idIn(toRedeliveriesSearch(search).job);
    return [
      ...(redeliveryId === undefined ? [] : [read('getRedelivery', { organisationId, appId, redeliveryId })]),
      read('listRedeliveries', { organisationId, appId }),
    ];
  },
  [ENDPOINT]: ofEndpoint,
  [DRILL]: ({ params, search }) => {
    const { endpointId: _, ...scope } = params;
    const drillId = idIn(search.drill);
    return [...(drillId === undefined ? [] : [read('getDrill', { ...scope, drillId })]), read('listDrills', params)];
  },
  [DOCTOR]: ({ params }) => [read('getEndpoint', params)],
  [`${APP}/requests`]: ofRequests,
  [`${APP}/events`]: ofEvents,
  [`${APP}/data`]: ({ params: { organisationId, appId }, search }) => {
    const { kind, server, object } = toDataSearch(search);
    const scope = { organisationId, appId };
    const objectId = idIn(object);
    return [
      ...(objectId === undefined ? [] : [read('getWorldObject', { ...scope, objectId })]),
      read('listWorldObjects', { ...scope, ...defined({ kind, serverId: idIn(server) }), limit: 50 }),
      read('getWorld', scope),
    ];
  },
  [`${APP}/simulation`]: ({ params: { organisationId, appId } }) => [
    read('getWorld', { organisationId, appId }),
    read('listFaults', { organisationId, appId }),
  ],
  [`${APP}/live-access`]: ({ params: { organisationId, appId } }) => [
    read('listLiveAccess', { organisationId, appId }),
    read('listLiveAccessRequests', { organisationId, appId }),
    read('getEvidence', { organisationId, appId }),
  ],
  [`${APP}/settings`]: ({ params: { organisationId, appId } }) => [read('getApp', { organisationId, appId })],
  [`${APP}/reference`]: contract,
  [`${APP}/reference/$kind/$name`]: contract,
};
