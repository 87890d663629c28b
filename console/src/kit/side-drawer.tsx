// A drawer next to a list. The list can be scrolled and clicked while the drawer is open. On a phone the drawer covers
// the page.
import { Drawer, Group, Kbd, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { STEP_KEYS } from './list-steps.tsx';
import { isModalOpen } from './open-modal.ts';
import { useSingleKeys } from './single-keys.ts';

interface SideDrawerProps {
  isOpen: boolean;
  title: string;
  /** True if single keys open the next and the previous row of the list. */
  hasSteps?: boolean;
  onClose: () => void;
  children: ReactNode;
}

const frame = { position: 'right', size: 'min(640px, 60%)' } as const;

export function SideDrawer({ isOpen, title, hasSteps = false, onClose, children }: SideDrawerProps): ReactNode {
  const [areKeysOn] = useSingleKeys();
  const isNextToList = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  const close = (): void => {
    if (isModalOpen()) return; // Escape closes the dialog above
    const link = document.querySelector<HTMLElement>('tr[data-open] :is(a, button)');
    onClose();
    link?.focus({ preventScroll: true });
  };
  if (!isNextToList) {
    return (
      <Drawer {...frame} size={640} opened={isOpen} onClose={close} title={title}>
        {children}
      </Drawer>
    );
  }
  return (
    <Drawer.Root
      {...frame}
      opened={isOpen}
      onClose={close}
      shadow="md"
      lockScroll={false}
      trapFocus={false}
      closeOnClickOutside={false}
    >
      <Drawer.Content ref={alignWithList} style={{ borderLeft: '1px solid var(--line)' }}>
        <Drawer.Header>
          <Drawer.Title>
            <Group gap="sm">
              {title}
              {hasSteps && areKeysOn && <StepHint />}
            </Group>
          </Drawer.Title>
          <Drawer.CloseButton aria-label="Close" />
        </Drawer.Header>
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

function StepHint(): ReactNode {
  return (
    <Text component="span" c="dimmed" fz="xs" aria-hidden>
      <Kbd size="xs">{STEP_KEYS.next}</Kbd> next, <Kbd size="xs">{STEP_KEYS.previous}</Kbd> previous
    </Text>
  );
}

/** Mantine marks every drawer as modal, which hides the list from a screen reader. */
function alignWithList(drawer: HTMLElement | null): void {
  drawer?.removeAttribute('aria-modal');
  drawer?.focus({ preventScroll: true });
}
