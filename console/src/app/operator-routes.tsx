// Routes of the operator pages.
import { createRoute, lazyRouteComponent, redirect, type SearchSchemaInput } from '@tanstack/react-router';
import { type ReviewsSearch, toReviewsSearch } from '../governance/live-access/search.ts';
import { type MessagesSearch, toMessagesSearch } from '../governance/operator/search.ts';
import { shell } from './personal-routes.tsx';

const operator = createRoute({
  getParentRoute: () => shell,
  path: 'operator',
  component: lazyRouteComponent(() => import('../governance/operator/operator-layout.tsx'), 'OperatorLayout'),
});

const operatorHome = createRoute({
  getParentRoute: () => operator,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/operator/organisations', replace: true });
  },
});

const organisations = createRoute({
  getParentRoute: () => operator,
  path: 'organisations',
  component: lazyRouteComponent(
    () => import('../governance/operator/organisations-page.tsx'),
    'OperatorOrganisationsPage',
  ),
});

const reviews = createRoute({
  getParentRoute: () => operator,
  path: 'live-access',
  validateSearch: (search: ReviewsSearch & SearchSchemaInput): ReviewsSearch => toReviewsSearch(search),
  component: lazyRouteComponent(() => import('../governance/live-access/reviews-page.tsx'), 'ReviewsPage'),
});

const review = createRoute({
  getParentRoute: () => operator,
  path: 'live-access/$requestId',
  component: lazyRouteComponent(() => import('../governance/live-access/review-page.tsx'), 'ReviewPage'),
});

const upstream = createRoute({
  getParentRoute: () => operator,
  path: 'platform',
  component: lazyRouteComponent(() => import('../governance/operator/platform-page.tsx'), 'UpstreamPage'),
});

const messages = createRoute({
  getParentRoute: () => operator,
  path: 'messages',
  validateSearch: (search: MessagesSearch & SearchSchemaInput): MessagesSearch => toMessagesSearch(search),
  component: lazyRouteComponent(() => import('../governance/operator/messages-page.tsx'), 'MessagesPage'),
});

const requests = createRoute({
  getParentRoute: () => operator,
  path: 'requests',
  component: lazyRouteComponent(
    () => import('../governance/operator/unauthenticated-page.tsx'),
    'UnauthenticatedRequestsPage',
  ),
});

const signUp = createRoute({
  getParentRoute: () => operator,
  path: 'sign-up',
  component: lazyRouteComponent(() => import('../governance/operator/sign-up-page.tsx'), 'SignUpPolicyPage'),
});

export const operatorTree = operator.addChildren([
  operatorHome,
  organisations,
  reviews,
  review,
  upstream,
  messages,
  requests,
  signUp,
]);
