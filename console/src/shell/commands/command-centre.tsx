// Registers the global shortcuts, and the button that opens the command palette. Palette and shortcut sheet load on
// first use.
import { ActionIcon } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { hint } from '../../kit/hints.tsx';
import { isModalOpen } from '../../kit/open-modal.ts';
import { useSingleKey } from '../../kit/single-keys.ts';
import { KEYS, useKeyNames } from './shortcuts.ts';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const ShortcutsSheet = lazy(async () => ({ default: (await import('./shortcuts-sheet.tsx')).ShortcutsSheet }));

type OpenPanel = 'palette' | 'shortcuts' | undefined;

export function CommandCentre(): ReactNode {
  const { opened, open, close } = useOpened();
  const { mod } = useKeyNames();
  // Active in text fields too, where the combination has no other meaning.
  useHotkeys([[KEYS.palette, () => (opened === 'palette' ? close() : open('palette'))]], []);
  useSingleKey(KEYS.shortcuts, () => open('shortcuts'));
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Command palette"
        aria-keyshortcuts="Control+K Meta+K"
        {...hint(`Open the command palette (${mod} K)`)}
        onClick={() => open('palette')}
      >
        <IconSearch size={18} />
      </ActionIcon>
      <Suspense fallback={null}>
        {opened === 'palette' && <Palette onClose={close} onShowShortcuts={() => open('shortcuts')} />}
        {opened === 'shortcuts' && <ShortcutsSheet onClose={close} />}
      </Suspense>
    </>
  );
}

function useOpened() {
  const [opened, setOpened] = useState<OpenPanel>();
  const before = useRef<Element | null>(null);
  const open = (wanted: 'palette' | 'shortcuts'): void => {
    if (opened === undefined) {
      if (isModalOpen()) return;
      before.current = document.activeElement;
    }
    setOpened(wanted);
  };
  const close = (): void => {
    setOpened(undefined);
    if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
  };
  return { opened, open, close };
}
