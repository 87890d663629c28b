// Redirects to the app or organisation that was visited last, otherwise to the apps of the first organisation or to the
// creation of an organisation.
import { VisuallyHidden } from '@mantine/core';
import { Navigate } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useSession } from '../../identity/session/use-session.ts';
import type { Membership } from '../../kit/api.ts';
import { ENVIRONMENT } from '../../kit/environment-path.ts';
import { readLastVisit } from '../../kit/last-visit.ts';
import { RowsSkeleton } from '../../kit/list-states.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { WidePage } from '../../kit/wide-page.tsx';

export function HomePage(): ReactNode {
  const session = useSession();
  if (session.data) return <Home organisations={session.data.organisations} />;
  return (
    <WidePage py="xl">
      <VisuallyHidden>
        <h1>Slipway</h1>
      </VisuallyHidden>
      {session.error ? <ProblemAlert error={session.error} onRetry={() => void session.refetch()} /> : <RowsSkeleton />}
    </WidePage>
  );
}

function Home({ organisations }: { organisations: readonly Membership[] }): ReactNode {
  const visit = readLastVisit();
  const last = visit && organisations.find(({ id }) => id === visit.organisationId);
  const { id: organisationId } = last ?? organisations[0] ?? {};
  if (organisationId === undefined) return <Navigate to="/organisations" replace />;
  const appId = last && visit.appId;
  if (last && visit.environment !== ENVIRONMENT) {
    const app = appId === undefined ? '' : `/${appId}`;
    return <OtherDocument path={`/${visit.environment}/${organisationId}/apps${app}`} />;
  }
  return appId === undefined ? (
    <Navigate to="/in/$organisationId/apps" params={{ organisationId }} replace />
  ) : (
    <Navigate to="/in/$organisationId/apps/$appId/overview" params={{ organisationId, appId }} replace />
  );
}

/** Opens an address of the other environment, which is another document. */
function OtherDocument({ path }: { path: string }): ReactNode {
  useEffect(() => window.location.replace(path), [path]);
  return null;
}
