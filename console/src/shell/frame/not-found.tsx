// Shown for a page that does not exist or that this person may not see. Both look alike on purpose.
import { Container, EmptyState } from '@mantine/core';
import { IconAnchorOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../kit/links.tsx';
import { useTitle } from '../../kit/use-title.ts';

const REASONS = {
  page: 'The address is wrong, or its object was removed.',
  organisation: 'It does not exist, or you are not a member of it.',
  app: 'It does not exist, or it belongs to an organisation that you are not a member of.',
  endpoint: 'It was deleted, or it belongs to another app.',
};

export function NotFound({ noun = 'page' }: { noun?: keyof typeof REASONS }): ReactNode {
  useTitle('Not found');
  return (
    <Container size={560} py={80}>
      <EmptyState
        variant="light"
        icon={<IconAnchorOff aria-hidden />}
        title={<h1 style={{ font: 'inherit', margin: 0 }}>There is no such {noun}</h1>}
        description={REASONS[noun]}
      >
        <EmptyState.Actions>
          <ButtonLink to="/organisations">To your organisations</ButtonLink>
        </EmptyState.Actions>
      </EmptyState>
    </Container>
  );
}
