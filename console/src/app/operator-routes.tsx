// The addresses of operators, beside those of organisations.
import { createRoute, lazyRouteComponent, redirect, type SearchSchemaInput } from '@tanstack/react-router';
import { type ReviewsSearch, toReviewsSearch } from '../features/live-access/search.ts';
import { type MessagesSearch, toMessagesSearch } from '../features/operator/search.ts';
import { shell } from './personal-routes.tsx';

const operator = createRoute({
  getParentRoute: () => shell,
  path: 'operator',
  component: lazyRouteComponent(() => import('../features/operator/operator-layout.tsx'), 'OperatorLayout'),
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
    () => import('../features/operator/organisations-page.tsx'),
    'OperatorOrganisationsPage',
  ),
});

const reviews = createRoute({
  getParentRoute: () => operator,
  path: 'live-access',
  validateSearch: (search: ReviewsSearch & SearchSchemaInput): ReviewsSearch => toReviewsSearch(search),
  component: lazyRouteComponent(() => import('../features/live-access/reviews-page.tsx'), 'ReviewsPage'),
});

const review = createRoute({
  getParentRoute: () => operator,
  path: 'live-access/$requestId',
  component: lazyRouteComponent(() => import('../features/live-access/review-page.tsx'), 'ReviewPage'),
});

const platform = createRoute({
  getParentRoute: () => operator,
  path: 'platform',
  component: lazyRouteComponent(() => import('../features/operator/platform-page.tsx'), 'PlatformPage'),
});

const messages = createRoute({
  getParentRoute: () => operator,
  path: 'messages',
  validateSearch: (search: MessagesSearch & SearchSchemaInput): MessagesSearch => toMessagesSearch(search),
  component: lazyRouteComponent(() => import('../features/operator/messages-page.tsx'), 'MessagesPage'),
});

const requests = createRoute({
  getParentRoute: () => operator,
  path: 'requests',
  component: lazyRouteComponent(() => import('../features/operator/unproved-page.tsx'), 'UnprovedPage'),
});

const signUp = createRoute({
  getParentRoute: () => operator,
  path: 'sign-up',
  component: lazyRouteComponent(() => import('../features/operator/sign-up-page.tsx'), 'SignUpPolicyPage'),
});

export const operatorTree = operator.addChildren([
  operatorHome,
  organisations,
  reviews,
  review,
  platform,
  messages,
  requests,
  signUp,
]);
