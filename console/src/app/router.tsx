// Defines every address of the Console and its search parameters, and the routes that all environments share. A page
// loads on its first visit.
import {
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
  type SearchSchemaInput,
} from '@tanstack/react-router';
import { OrganisationLayout } from '../identity/organisations/organisation-layout.tsx';
import { type AuditSearch, toAuditSearch } from '../inspector/audit/search.ts';
import { toPublicPath, toRoutePath } from '../kit/environment-path.ts';
import { NotFound } from '../shell/frame/not-found.tsx';
import { PageError } from '../shell/frame/page-error.tsx';
import { environmentTree } from './environment-routes.tsx';
import { operatorTree } from './operator-routes.tsx';
import {
  account,
  cancelRemoval,
  confirmEmail,
  device,
  home,
  invitation,
  organisations,
  providerReturn,
  resetPassword,
  restoreEmail,
  root,
  shell,
  signIn,
  signUp,
} from './personal-routes.tsx';

const shared = createRoute({
  getParentRoute: () => shell,
  path: 'organisations/$organisationId',
  component: OrganisationLayout,
});

const team = createRoute({
  getParentRoute: () => shared,
  path: 'team',
  component: lazyRouteComponent(() => import('../identity/organisations/team-page.tsx'), 'TeamPage'),
});

const organisationSettings = createRoute({
  getParentRoute: () => shared,
  path: 'settings',
  component: lazyRouteComponent(
    () => import('../identity/organisations/settings-page.tsx'),
    'OrganisationSettingsPage',
  ),
});

const audit = createRoute({
  getParentRoute: () => shared,
  path: 'audit',
  validateSearch: (search: AuditSearch & SearchSchemaInput): AuditSearch => toAuditSearch(search),
  component: lazyRouteComponent(() => import('../inspector/audit/audit-page.tsx'), 'AuditPage'),
});

// Addresses of the other environment load another document.
const otherEnvironmentRoute = (path: 'sandbox/$' | 'production/$') =>
  createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad: ({ location }) => window.location.replace(location.publicHref),
  });

const tree = root.addChildren([
  signIn,
  providerReturn,
  signUp,
  cancelRemoval,
  confirmEmail,
  restoreEmail,
  resetPassword,
  invitation,
  device,
  otherEnvironmentRoute('sandbox/$'),
  otherEnvironmentRoute('production/$'),
  shell.addChildren([
    home,
    organisations,
    account,
    operatorTree,
    shared.addChildren([team, audit, organisationSettings]),
    environmentTree,
  ]),
]);

function withPath(url: URL, path: string | undefined): URL {
  if (path !== undefined) url.pathname = path;
  return url;
}

export type ConsoleRouter = ReturnType<typeof createConsoleRouter>;

/** Returns the router. Uses the browser's history unless another one is given. */
export function createConsoleRouter(history?: RouterHistory) {
  return createRouter({
    routeTree: tree,
    ...(history && { history }),
    rewrite: {
      input: ({ url }) => withPath(url, toRoutePath(url.pathname)),
      output: ({ url }) => withPath(url, toPublicPath(url.pathname)),
    },
    defaultPreload: 'intent',
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: () => <NotFound />,
    scrollRestoration: history === undefined,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ConsoleRouter;
  }
}
