// Addresses of production: as long as there is none here, they say why.
import { Container, EmptyState } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { PRODUCTION_REASON } from '../../kit/environments.ts';
import { ButtonLink } from '../../kit/links.tsx';
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
          <ButtonLink to="/">To the sandbox</ButtonLink>
        </EmptyState.Actions>
      </EmptyState>
    </Container>
  );
}
