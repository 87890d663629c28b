// Everything of one organisation; whoever is not a member finds nothing here.
import { Outlet, useParams, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { IS_PRODUCTION, useEnvironments } from '../../kit/environments.ts';
import { isWithin } from '../../kit/here.ts';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { WidePage } from '../../kit/wide-page.tsx';
import { NotFound } from '../../shell/frame/not-found.tsx';
import { ProductionPage } from '../../shell/frame/production-page.tsx';
import { useSession } from '../session/use-session.ts';

export function OrganisationLayout(): ReactNode {
  const { organisationId } = useParams({ strict: false });
  const session = useSession();
  const isInProduction = useRouterState({ select: (state) => isWithin(state.location.pathname) }) && IS_PRODUCTION;
  const environments = useEnvironments();
  const isServed = environments.data?.data.some(({ name }) => name === 'production') ?? true;
  const isMember = session.data?.organisations.some((one) => one.id === organisationId);
  if (isInProduction && !isServed) return <ProductionPage />;
  // While nobody knows yet who somebody is, the page asks for its own already: whoever may not see it is refused there.
  if (isMember || session.isPending) return <Outlet />;
  if (session.data) return <NotFound noun="organisation" />;
  return (
    <WidePage py="xl">
      <ProblemAlert error={session.error} onRetry={() => void session.refetch()} />
    </WidePage>
  );
}
