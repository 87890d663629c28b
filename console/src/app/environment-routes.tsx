// Routes within an environment: the apps of an organisation, and the pages of an app.
import { createRoute, lazyRouteComponent, redirect, type SearchSchemaInput } from '@tanstack/react-router';
import { OrganisationLayout } from '../identity/organisations/organisation-layout.tsx';
import { type EventsSearch, toEventsSearch } from '../inspector/events/search.ts';
import { type RequestsSearch, toRequestsSearch } from '../inspector/requests/search.ts';
import { textParam } from '../kit/search.ts';
import { type NoticesSearch, toNoticesSearch } from '../platform/notices/search.ts';
import { type DataSearch, toDataSearch } from '../sandbox/data/search.ts';
import { AppLayout } from '../tenancy/apps/app-layout.tsx';
import {
  type AccessSearch,
  type HistorySearch,
  type InstallationsSearch,
  toAccessSearch,
  toHistorySearch,
  toInstallationsSearch,
} from '../tenancy/installations/search.ts';
import { type KeysSearch, toKeysSearch } from '../tenancy/keys/search.ts';
import {
  type DrillSearch,
  type EndpointSearch,
  type RedeliveriesSearch,
  toEndpointSearch,
  toRedeliveriesSearch,
  toWebhooksSearch,
  type WebhooksSearch,
} from '../webhooks/webhooks/search.ts';
import { shell } from './personal-routes.tsx';

const organisation = createRoute({
  getParentRoute: () => shell,
  path: 'in/$organisationId',
  component: OrganisationLayout,
});

const organisationHome = createRoute({
  getParentRoute: () => organisation,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/in/$organisationId/apps', params, replace: true });
  },
});

const apps = createRoute({
  getParentRoute: () => organisation,
  path: 'apps',
  component: lazyRouteComponent(() => import('../tenancy/apps/apps-page.tsx'), 'AppsPage'),
});

const notices = createRoute({
  getParentRoute: () => organisation,
  path: 'notices',
  validateSearch: (search: NoticesSearch & SearchSchemaInput): NoticesSearch => toNoticesSearch(search),
  component: lazyRouteComponent(() => import('../platform/notices/notices-page.tsx'), 'NoticesPage'),
});

const app = createRoute({
  getParentRoute: () => organisation,
  path: 'apps/$appId',
  component: AppLayout,
});

const appHome = createRoute({
  getParentRoute: () => app,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/in/$organisationId/apps/$appId/overview', params, replace: true });
  },
});

const overview = createRoute({
  getParentRoute: () => app,
  path: 'overview',
  component: lazyRouteComponent(() => import('../tenancy/overview/overview-page.tsx'), 'OverviewPage'),
});

const keys = createRoute({
  getParentRoute: () => app,
  path: 'keys',
  validateSearch: (search: KeysSearch & SearchSchemaInput): KeysSearch => toKeysSearch(search),
  component: lazyRouteComponent(() => import('../tenancy/keys/keys-page.tsx'), 'KeysPage'),
});

const installations = createRoute({
  getParentRoute: () => app,
  path: 'installations',
  validateSearch: (search: InstallationsSearch & SearchSchemaInput): InstallationsSearch =>
    toInstallationsSearch(search),
  component: lazyRouteComponent(() => import('../tenancy/installations/installations-page.tsx'), 'InstallationsPage'),
});

const installationHistory = createRoute({
  getParentRoute: () => app,
  path: 'installations/history',
  validateSearch: (search: HistorySearch & SearchSchemaInput): HistorySearch => toHistorySearch(search),
  component: lazyRouteComponent(() => import('../tenancy/installations/history-page.tsx'), 'InstallationHistoryPage'),
});

const access = createRoute({
  getParentRoute: () => app,
  path: 'installations/access',
  validateSearch: (search: AccessSearch & SearchSchemaInput): AccessSearch => toAccessSearch(search),
  component: lazyRouteComponent(() => import('../tenancy/installations/access-page.tsx'), 'AccessPage'),
});

const webhooks = createRoute({
  getParentRoute: () => app,
  path: 'webhooks',
  validateSearch: (search: WebhooksSearch & SearchSchemaInput): WebhooksSearch => toWebhooksSearch(search),
  component: lazyRouteComponent(() => import('../webhooks/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});

const endpoint = createRoute({
  getParentRoute: () => app,
  path: 'webhooks/endpoints/$endpointId',
  validateSearch: (search: EndpointSearch & SearchSchemaInput): EndpointSearch => toEndpointSearch(search),
  component: lazyRouteComponent(() => import('../webhooks/webhooks/endpoint-page.tsx'), 'EndpointPage'),
});

const drill = createRoute({
  getParentRoute: () => app,
  path: 'webhooks/endpoints/$endpointId/drill',
  validateSearch: (search: DrillSearch & SearchSchemaInput): DrillSearch => textParam('drill', search.drill),
  component: lazyRouteComponent(() => import('../webhooks/webhooks/drill-page.tsx'), 'DrillPage'),
});

const drills = createRoute({
  getParentRoute: () => app,
  path: 'drills',
  component: lazyRouteComponent(() => import('../webhooks/webhooks/drills-page.tsx'), 'DrillsPage'),
});

const doctor = createRoute({
  getParentRoute: () => app,
  path: 'webhooks/endpoints/$endpointId/signature',
  component: lazyRouteComponent(() => import('../webhooks/webhooks/doctor-page.tsx'), 'DoctorPage'),
});

const redeliveries = createRoute({
  getParentRoute: () => app,
  path: 'webhooks/redeliveries',
  validateSearch: (search: RedeliveriesSearch & SearchSchemaInput): RedeliveriesSearch => toRedeliveriesSearch(search),
  component: lazyRouteComponent(() => import('../webhooks/webhooks/redeliveries-page.tsx'), 'RedeliveriesPage'),
});

const requests = createRoute({
  getParentRoute: () => app,
  path: 'requests',
  validateSearch: (search: RequestsSearch & SearchSchemaInput): RequestsSearch => toRequestsSearch(search),
  component: lazyRouteComponent(() => import('../inspector/requests/requests-page.tsx'), 'RequestsPage'),
});

const events = createRoute({
  getParentRoute: () => app,
  path: 'events',
  validateSearch: (search: EventsSearch & SearchSchemaInput): EventsSearch => toEventsSearch(search),
  component: lazyRouteComponent(() => import('../inspector/events/events-page.tsx'), 'EventsPage'),
});

const data = createRoute({
  getParentRoute: () => app,
  path: 'data',
  validateSearch: (search: DataSearch & SearchSchemaInput): DataSearch => toDataSearch(search),
  component: lazyRouteComponent(() => import('../sandbox/data/data-page.tsx'), 'DataPage'),
});

const simulation = createRoute({
  getParentRoute: () => app,
  path: 'simulation',
  component: lazyRouteComponent(() => import('../sandbox/simulation/simulation-page.tsx'), 'SimulationPage'),
});

const liveAccess = createRoute({
  getParentRoute: () => app,
  path: 'live-access',
  component: lazyRouteComponent(() => import('../governance/live-access/live-access-page.tsx'), 'LiveAccessPage'),
});

const appSettings = createRoute({
  getParentRoute: () => app,
  path: 'settings',
  component: lazyRouteComponent(() => import('../tenancy/apps/app-settings-page.tsx'), 'AppSettingsPage'),
});

const reference = createRoute({
  getParentRoute: () => app,
  path: 'reference',
  component: lazyRouteComponent(() => import('../platform/reference/reference-page.tsx'), 'ReferencePage'),
});

const referenceHome = createRoute({
  getParentRoute: () => reference,
  path: '/',
  component: lazyRouteComponent(() => import('../platform/reference/reference-page.tsx'), 'ReferenceHome'),
});

const referenceItem = createRoute({
  getParentRoute: () => reference,
  path: '$kind/$name',
  component: lazyRouteComponent(() => import('../platform/reference/reference-page.tsx'), 'ReferenceItem'),
});

export const environmentTree = organisation.addChildren([
  organisationHome,
  apps,
  notices,
  app.addChildren([
    appHome,
    overview,
    keys,
    installations,
    installationHistory,
    access,
    webhooks,
    endpoint,
    drill,
    doctor,
    redeliveries,
    requests,
    events,
    data,
    simulation,
    drills,
    liveAccess,
    appSettings,
    reference.addChildren([referenceHome, referenceItem]),
  ]),
]);
