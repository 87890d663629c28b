// Routes outside organisations: sign-in, one-time links, and the person's account.
import {
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  Outlet,
  type SearchSchemaInput,
} from '@tanstack/react-router';
import { textParam } from '../kit/search.ts';
import { NotFound } from '../shell/frame/not-found.tsx';
import { Shell } from '../shell/frame/shell.tsx';

interface SignInSearch {
  /** Token of a one-time link. */
  link?: string;
  /** Address to open after the sign-in. */
  return?: string;
}

export const root = createRootRoute({ component: Outlet, notFoundComponent: () => <NotFound /> });

export const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  validateSearch: (search: SignInSearch & SearchSchemaInput): SignInSearch => ({
    ...textParam('link', search.link),
    ...textParam('return', search.return),
  }),
  component: lazyRouteComponent(() => import('../identity/session/sign-in-page.tsx'), 'SignInPage'),
});

export const providerReturn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in/provider',
  component: lazyRouteComponent(() => import('../identity/session/provider-return-page.tsx'), 'ProviderReturnPage'),
});

export const signUp = createRoute({
  getParentRoute: () => root,
  path: 'sign-up',
  component: lazyRouteComponent(() => import('../identity/session/sign-up-page.tsx'), 'SignUpPage'),
});

export const resetPassword = createRoute({
  getParentRoute: () => root,
  path: 'reset-password',
  component: lazyRouteComponent(() => import('../identity/session/reset-password-page.tsx'), 'ResetPasswordPage'),
});

export const cancelRemoval = createRoute({
  getParentRoute: () => root,
  path: 'cancel-removal',
  component: lazyRouteComponent(() => import('../identity/session/cancel-removal-page.tsx'), 'CancelRemovalPage'),
});

export const confirmEmail = createRoute({
  getParentRoute: () => root,
  path: 'confirm-email',
  component: lazyRouteComponent(() => import('../identity/session/confirm-email-page.tsx'), 'ConfirmEmailPage'),
});

export const restoreEmail = createRoute({
  getParentRoute: () => root,
  path: 'restore-email',
  component: lazyRouteComponent(() => import('../identity/session/restore-email-page.tsx'), 'RestoreEmailPage'),
});

export const invitation = createRoute({
  getParentRoute: () => root,
  path: 'invitation',
  component: lazyRouteComponent(() => import('../identity/session/invitation-page.tsx'), 'InvitationPage'),
});

export const device = createRoute({
  getParentRoute: () => root,
  path: 'device',
  component: lazyRouteComponent(() => import('../identity/session/device-page.tsx'), 'DevicePage'),
});

export const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
});

export const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: lazyRouteComponent(() => import('../shell/frame/home-page.tsx'), 'HomePage'),
});

export const organisations = createRoute({
  getParentRoute: () => shell,
  path: 'organisations',
  component: lazyRouteComponent(() => import('../identity/organisations/organisations-page.tsx'), 'OrganisationsPage'),
});

export const account = createRoute({
  getParentRoute: () => shell,
  path: 'account',
  component: lazyRouteComponent(() => import('../identity/session/account-page.tsx'), 'AccountPage'),
});
