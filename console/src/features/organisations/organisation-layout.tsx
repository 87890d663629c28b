// Everything of one organisation; whoever is not a member finds nothing here.
import { Container } from '@mantine/core';
import { Outlet, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { RowsSkeleton } from '../../kit/list-states.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { NotFound } from '../frame/not-found.tsx';
import { useSession } from '../session/use-session.ts';

export function OrganisationLayout(): ReactNode {
  const { organisationId } = useParams({ strict: false });
  const session = useSession();
  const isMember = session.data?.organisations.some((one) => one.id === organisationId);
  if (isMember) return <Outlet />;
  if (session.data) return <NotFound noun="organisation" />;
  return (
    <Container size={1200} py="xl">
      {session.error ? <ProblemAlert error={session.error} onRetry={() => void session.refetch()} /> : <RowsSkeleton />}
    </Container>
  );
}
