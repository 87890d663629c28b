// Layout of an organisation's pages. Other people than members see "not found".
import { Outlet, useParams, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { isEnvironmentPath } from '../../kit/environment-path.ts';
import { IS_PRODUCTION, useEnvironments } from '../../kit/environments.ts';
import { rememberOrganisation } from '../../kit/last-visit.ts';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { WidePage } from '../../kit/wide-page.tsx';
import { NotFound } from '../../shell/frame/not-found.tsx';
import { ProductionPage } from '../../shell/frame/production-page.tsx';
import { useSession } from '../session/use-session.ts';

export function OrganisationLayout(): ReactNode {
  const { organisationId } = useParams({ strict: false });
  const session = useSession();
  const isInProduction =
    useRouterState({ select: (state) => isEnvironmentPath(state.location.pathname) }) && IS_PRODUCTION;
  const environments = useEnvironments();
  const isServed = environments.data?.data.some(({ name }) => name === 'production') ?? true;
  const isMember = session.data?.organisations.some((one) => one.id === organisationId);
  useEffect(() => {
    if (isMember && organisationId !== undefined) rememberOrganisation(organisationId);
  }, [isMember, organisationId]);
  if (isInProduction && !isServed) return <ProductionPage />;
  // While the session loads, the page already sends its own reads. The server refuses them if the person is not a
  // member.
  if (isMember || session.isPending) return <Outlet />;
  if (session.data) return <NotFound noun="organisation" />;
  return (
    <WidePage py="xl">
      <ProblemAlert error={session.error} onRetry={() => void session.refetch()} />
    </WidePage>
  );
}
