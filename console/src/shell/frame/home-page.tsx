// Redirects to the apps of the first organisation, or to the creation of an organisation.
import { VisuallyHidden } from '@mantine/core';
import { Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../../identity/session/use-session.ts';
import { RowsSkeleton } from '../../kit/list-states.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { WidePage } from '../../kit/wide-page.tsx';

export function HomePage(): ReactNode {
  const session = useSession();
  const first = session.data?.organisations[0];
  if (first) return <Navigate to="/in/$organisationId/apps" params={{ organisationId: first.id }} replace />;
  if (session.data) return <Navigate to="/organisations" replace />;
  return (
    <WidePage py="xl">
      <VisuallyHidden>
        <h1>Slipway</h1>
      </VisuallyHidden>
      {session.error ? <ProblemAlert error={session.error} onRetry={() => void session.refetch()} /> : <RowsSkeleton />}
    </WidePage>
  );
}
