// Every page of the Console, and the states in which the proof inspects it. An address without a case does not compile,
// and the proof compares this table with the build's list.
import type { RegisteredRouter } from '@tanstack/react-router';
import type {} from '../../console/src/app/router.tsx';
import type { Layout } from '../../console/src/shell/page-api/page-reads.ts';
import type { DataSetName } from './data-sets.ts';

type Address = keyof RegisteredRouter['routesByPath'];
export type PageAddress = Exclude<Address, Layout>;

export interface PageState {
  /** A text that appears when the page is in this state. */
  ready: string | RegExp;
  in: DataSetName;
  /** The part after the address: `{request}` stands for an id with that name. */
  after?: string;
  /** In the reference: its kind and name. */
  item?: string;
  /** True for a visitor without a session. */
  isVisitor?: boolean;
  /**
   * `held`: calls of the page get no response until the inspection. `refused`: calls are changed so that the server
   * refuses them.
   */
  calls?: 'held' | 'refused';
  /** The affected calls: by default the page's own calls, without those of the frame around every page. */
  own?: RegExp;
  /** The page that is shown instead, after a redirect. */
  leadsTo?: RegExp;
  isInProduction?: boolean;
  /** True for an empty state that must be inspected before `fill`, because operators always have data afterwards. */
  isBeforeAll?: boolean;
}

export type PageCase = Readonly<Record<string, PageState>>;

interface LoadingPage {
  full: string | RegExp;
  /** The empty state and its place; undefined if the page is never empty. */
  empty: Pick<PageState, 'ready' | 'in' | 'after'> | undefined;
  own?: RegExp;
  after?: string;
  item?: string;
  isBeforeAll?: boolean;
  /** Details that open on the page: a text that appears then, by the part after the address. */
  more?: Readonly<Record<string, [after: string, ready: string | RegExp]>>;
}

/** A shown problem, with its request id. */
const REFUSED = /^req_|invalid_request/;

/** Returns the cases of a page that loads data. */
function loadingPageCases({ full, empty, own, after, item, isBeforeAll, more = {} }: LoadingPage): PageCase {
  const common = { in: 'full', ...(own && { own }), ...(after && { after }), ...(item && { item }) } as const;
  return {
    full: { ...common, ready: full, calls: 'held' },
    error: { ...common, ready: REFUSED, calls: 'refused' },
    ...(empty && { empty: { ...empty, ...(isBeforeAll && { isBeforeAll }) } }),
    ...Object.fromEntries(
      Object.entries(more).map(([name, [search, ready]]) => [name, { in: 'full', after: search, ready } as const]),
    ),
  };
}

/** Returns the cases of a page for visitors. */
const visitorPageCases = (ready: string, more: PageCase = {}): PageCase => ({
  full: { in: 'full', isVisitor: true, ready },
  ...more,
});

const APP = '/in/$organisationId/apps/$appId';

export const PAGES: Readonly<Record<PageAddress, PageCase>> = {
  '/': {
    full: { in: 'full', ready: 'Demo app', leadsTo: /\/sandbox\/org_\w+\/apps$/ },
    error: { in: 'full', ready: REFUSED, calls: 'refused', own: /\/api\/session$/ },
  },
  '/sign-in': visitorPageCases('Forgot your password?', {
    link: { in: 'full', isVisitor: true, after: '#link={link}', ready: 'Sign in as the owner' },
  }),
  '/sign-in/provider': visitorPageCases('You are not signed in', {
    refused: { in: 'full', isVisitor: true, after: '?code=1&state=2', ready: REFUSED },
  }),
  '/sign-up': visitorPageCases('Request a link', {
    link: { in: 'full', isVisitor: true, after: '#token=nothing', ready: 'Create account' },
  }),
  '/reset-password': visitorPageCases('Reset password', {
    link: { in: 'full', isVisitor: true, after: '#token=nothing', ready: 'Choose a new password' },
  }),
  '/cancel-removal': visitorPageCases('This link is not complete', {
    link: { in: 'full', isVisitor: true, after: '#token=nothing', ready: 'without a code' },
  }),
  '/confirm-email': visitorPageCases('This link is not complete', {
    visitor: { in: 'full', isVisitor: true, after: '#token=nothing', ready: 'Sign in to the account' },
    member: { in: 'full', after: '#token=nothing', ready: 'You are signed in as' },
  }),
  '/restore-email': visitorPageCases('This link is not complete', {
    link: { in: 'full', isVisitor: true, after: '#token=nothing', ready: 'Choose a new password' },
  }),
  '/invitation': visitorPageCases('The link is incomplete.', {
    visitor: { in: 'full', isVisitor: true, after: '#token={invitation}', ready: 'Create account and join' },
    member: { in: 'full', after: '#token={invitation}', ready: 'sign in as that person' },
  }),
  '/device': visitorPageCases('Sign in first.', { member: { in: 'full', ready: 'Continue' } }),
  '/organisations': loadingPageCases({ full: 'Harbour Tools', empty: undefined, own: /\/api\/session$/ }),
  '/account': loadingPageCases({ full: 'this one', empty: undefined }),
  '/operator/organisations': loadingPageCases({ full: 'Harbour Tools', empty: undefined }),
  '/operator/live-access': loadingPageCases({
    full: 'Demo app',
    empty: { ready: 'No waiting requests', in: 'full' },
    isBeforeAll: true,
  }),
  '/operator/live-access/$requestId': loadingPageCases({ full: 'SHA-256 of the submission', empty: undefined }),
  // Without production nothing can fail there: the browser tests cover it with failures.
  '/operator/platform': loadingPageCases({
    full: 'No production yet',
    empty: undefined,
    own: /\/operator\/upstream-failures$/,
  }),
  '/operator/messages': loadingPageCases({
    full: 'imke@example.org',
    empty: { ready: 'No messages', in: 'full' },
    isBeforeAll: true,
    more: { message: ['?message={message}', 'The log records that you read it'] },
  }),
  '/operator/requests': loadingPageCases({
    full: 'missing_key',
    empty: { ready: 'No requests without a key', in: 'full' },
    isBeforeAll: true,
  }),
  '/operator/sign-up': loadingPageCases({ full: 'Save policy', empty: undefined }),
  '/organisations/$organisationId/team': loadingPageCases({
    full: 'My laptop',
    empty: { ready: 'No invitations', in: 'bare' },
  }),
  '/organisations/$organisationId/audit': loadingPageCases({
    full: 'Submitted a request for live access',
    empty: { ready: 'No entry matches these filters', in: 'bare', after: '?action=key.revoke' },
    more: { entry: ['?entry={entry}', 'Entry id'] },
  }),
  '/organisations/$organisationId/settings': loadingPageCases({ full: 'Delete the organisation', empty: undefined }),
  '/in/$organisationId/apps': {
    ...loadingPageCases({ full: 'Demo app', empty: { ready: 'Register your first app', in: 'bare' } }),
    // Shown instead of every page of production if production is not connected. test/browser/live-access.test.ts covers
    // a connected one.
    production: { in: 'full', isInProduction: true, ready: 'There is no production here' },
  },
  '/in/$organisationId/notices': loadingPageCases({
    full: 'Left in a repository',
    empty: { ready: 'No notices', in: 'bare' },
    more: { settings: ['?view=settings', 'Save mail settings'] },
  }),
  [`${APP}/overview`]: loadingPageCases({
    full: 'The last 24 hours',
    empty: { ready: 'Generate a key', in: 'fresh' },
  }),
  [`${APP}/keys`]: loadingPageCases({ full: 'Demo key', empty: { ready: 'No keys yet', in: 'fresh' } }),
  [`${APP}/installations`]: {
    ...loadingPageCases({ full: 'Change every server', empty: undefined }),
    production: { in: 'production', isInProduction: true, ready: 'Northern Quays' },
  },
  [`${APP}/installations/history`]: {
    ...loadingPageCases({
      full: 'The team is away until Monday.',
      empty: { ready: 'No change matches these filters', in: 'full', after: '?server=srv_01j9z3v8k6e5t8m2n4p6q8r0s4' },
    }),
    production: { in: 'production', isInProduction: true, ready: 'The team is away until Monday.' },
  },
  [`${APP}/installations/access`]: loadingPageCases({
    full: 'installation_paused',
    empty: { ready: 'Select a call', in: 'full' },
    after: '?operation=createTicket&key={key}&server={server}',
  }),
  [`${APP}/webhooks`]: loadingPageCases({
    full: /^(succeeded|skipped)$/, // skipped ones of the redelivery fill the list for some seconds
    empty: { ready: 'No endpoints yet', in: 'fresh' },
    more: { delivery: ['?delivery={delivery}', 'The bridge is closed.'] },
  }),
  [`${APP}/webhooks/endpoints/$endpointId`]: loadingPageCases({
    full: /of \d+ attempts succeeded/,
    empty: { ready: 'No attempt yet', in: 'quiet' },
    more: {
      deliveries: ['?view=deliveries', 'skipped'],
      settings: ['?view=settings', 'Save the settings'],
      test: ['?view=test', 'Send a test event'],
    },
  }),
  [`${APP}/webhooks/endpoints/$endpointId/drill`]: loadingPageCases({
    full: /of 12 steps/,
    empty: { ready: 'No drills yet', in: 'quiet' },
    after: '?drill={drill}',
  }),
  [`${APP}/webhooks/endpoints/$endpointId/signature`]: loadingPageCases({ full: 'Diagnose', empty: undefined }),
  [`${APP}/webhooks/redeliveries`]: loadingPageCases({
    full: 'finished',
    empty: { ready: 'No redeliveries yet', in: 'fresh' },
    more: { job: ['?job={job}', 'finished'] },
  }),
  [`${APP}/requests`]: loadingPageCases({
    full: '/v1/servers',
    empty: { ready: 'No requests yet', in: 'fresh' },
    more: {
      request: ['?request={request}', 'Trace'],
      refused: ['?request={refused}', 'invalid_request'],
      problems: ['?view=problems', 'not_found'],
      deprecated: ['?view=deprecated', 'in a returned ticket'],
      'no-fit': ['?status=3', 'No request matches these filters'],
    },
  }),
  [`${APP}/events`]: loadingPageCases({
    full: 'ticket.created',
    empty: { ready: 'No events yet', in: 'fresh' },
    more: {
      event: ['?event={event}', 'Trace'],
      'no-fit': ['?subject=tkt_01j9z3v8k6e5t8m2n4p6q8r0s4', 'No event matches these filters'],
    },
  }),
  [`${APP}/data`]: loadingPageCases({
    full: 'Servers',
    empty: { ready: 'No workflow runs here', in: 'fresh', after: '?kind=workflow_run' },
    more: {
      object: ['?object={server}', 'as /v1 returns it'],
      tickets: ['?kind=ticket', 'The crane does not turn'],
    },
  }),
  [`${APP}/simulation`]: loadingPageCases({ full: 'rate_limited', empty: { ready: 'No fault rules', in: 'fresh' } }),
  [`${APP}/drills`]: loadingPageCases({ full: 'enabled', empty: { ready: 'No endpoints yet', in: 'fresh' } }),
  [`${APP}/live-access`]: loadingPageCases({
    full: 'waits for review',
    empty: { ready: 'This app exists in the sandbox only', in: 'fresh' },
  }),
  [`${APP}/settings`]: loadingPageCases({ full: 'Delete the app', empty: undefined, own: /\/apps\/app_\w+$/ }),
  [`${APP}/reference`]: loadingPageCases({ full: 'List servers', empty: undefined }),
  [`${APP}/reference/$kind/$name`]: {
    ...loadingPageCases({ full: 'Try it', empty: undefined, item: 'operations/createTicket' }),
    event: { in: 'full', item: 'events/ticket.created', ready: 'ticket.created' },
    problem: { in: 'full', item: 'problems/rate_limited', ready: 'rate_limited' },
    none: { in: 'full', item: 'operations/nothing', ready: /There is no/ },
  },
};
