// What is not there, or not for this person: the two look alike on purpose.
import { Container, EmptyState } from '@mantine/core';
import { IconAnchorOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../kit/links.tsx';
import { useTitle } from '../../kit/use-title.ts';

export function NotFound({ noun = 'page' }: { noun?: string }): ReactNode {
  useTitle('Not found');
  return (
    <Container size={560} py={80}>
      <EmptyState
        variant="light"
        icon={<IconAnchorOff aria-hidden />}
        title={<h1 style={{ font: 'inherit', margin: 0 }}>There is no such {noun}</h1>}
        description="It does not exist, or it belongs to an organisation that you are not a member of."
      >
        <EmptyState.Actions>
          <ButtonLink to="/">To your apps</ButtonLink>
        </EmptyState.Actions>
      </EmptyState>
    </Container>
  );
}
