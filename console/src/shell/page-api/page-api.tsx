// The button "Get this by API" of every page. The drawer loads on first use.
import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCode } from '@tabler/icons-react';
import { useMatches } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { hint } from '../../kit/hints.tsx';

const PageApiDrawer = lazy(async () => ({ default: (await import('./page-api-drawer.tsx')).PageApiDrawer }));

const LABEL = 'Get this by API';

export function PageApi(): ReactNode {
  const [isOpen, drawer] = useDisclosure(false);
  const match = useMatches({ select: (matches) => matches.at(-1) });
  return (
    <>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={LABEL} {...hint(LABEL)} onClick={drawer.open}>
        <IconCode size={18} />
      </ActionIcon>
      <Suspense fallback={null}>
        {isOpen && match && (
          <PageApiDrawer
            address={match.fullPath}
            params={{ ...match.params }}
            search={{ ...match.search }}
            onClose={drawer.close}
          />
        )}
      </Suspense>
    </>
  );
}
