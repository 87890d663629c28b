// Explains addresses of production on an installation without production.
import { Button, Container, EmptyState } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { PRODUCTION_REASON } from '../../kit/environments.ts';
import { useTitle } from '../../kit/use-title.ts';

export function ProductionPage(): ReactNode {
  useTitle('Production');
  return (
    <Container size={560} py={80}>
      <EmptyState
        variant="light"
        icon={<IconLock aria-hidden />}
        title={<h1 style={{ font: 'inherit', margin: 0 }}>There is no production here</h1>}
        description={PRODUCTION_REASON}
      >
        <EmptyState.Actions>
          <Button component="a" href="/">
            To the sandbox
          </Button>
        </EmptyState.Actions>
      </EmptyState>
    </Container>
  );
}
