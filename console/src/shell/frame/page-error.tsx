// Shown if a page fails to render or to load. Offers to reload it.
import { Container } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ProblemAlert } from '../../kit/problem-alert.tsx';

export function PageError({ error }: ErrorComponentProps): ReactNode {
  return (
    <Container size={720} py="xl">
      <ProblemAlert
        error={error instanceof Error ? error : new Error(String(error))}
        onRetry={() => window.location.reload()}
      />
    </Container>
  );
}
