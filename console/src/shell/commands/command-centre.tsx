// The keys that work everywhere, and the button that does the same: the command palette and the sheet of shortcuts. Both load
// when they are first asked for.
import { ActionIcon } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { hint } from '../../kit/hints.tsx';
import { useSingleKey } from '../../kit/single-keys.ts';
import { KEYS, useKeyNames } from './shortcuts.ts';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const ShortcutsSheet = lazy(async () => ({ default: (await import('./shortcuts-sheet.tsx')).ShortcutsSheet }));

type Opened = 'palette' | 'shortcuts' | undefined;

export function CommandCentre(): ReactNode {
  const { opened, open, close } = useOpened();
  const { mod } = useKeyNames();
  // Also while one types: the combination means nothing there.
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
        {...hint(`Go to or do anything (${mod} K)`)}
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

// A dialog waits for an answer, and may show what is shown once: nothing opens over it.
const isAnswerAwaited = (): boolean => document.querySelector('.mantine-Modal-content') !== null;

function useOpened() {
  const [opened, setOpened] = useState<Opened>();
  const before = useRef<Element | null>(null);
  const open = (wanted: 'palette' | 'shortcuts'): void => {
    if (opened === undefined) {
      if (isAnswerAwaited()) return;
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
