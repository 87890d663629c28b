// Registers the global shortcuts, and the button that opens the command palette. Palette, shortcut sheet and the dialogs
// of commands load on first use.
import { ActionIcon } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { hint } from '../../kit/hints.tsx';
import { isModalOpen } from '../../kit/open-modal.ts';
import { useSingleKey } from '../../kit/single-keys.ts';
import type { PaletteDialog } from './command.ts';
import { KEYS, useKeyNames } from './shortcuts.ts';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const ShortcutsSheet = lazy(async () => ({ default: (await import('./shortcuts-sheet.tsx')).ShortcutsSheet }));
const TriggerAnyEvent = lazy(async () => ({
  default: (await import('../../sandbox/data/trigger-any-event.tsx')).TriggerAnyEvent,
}));
const ChangeServer = lazy(async () => ({
  default: (await import('../../tenancy/installations/change-server.tsx')).ChangeServer,
}));

export function CommandCentre(): ReactNode {
  const { organisationId = '', appId = '' } = useParams({ strict: false });
  const { opened, open, close } = useOpened();
  const { mod } = useKeyNames();
  const ofApp = { scope: { organisationId, appId }, onClose: close };
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
        {opened === 'palette' && <Palette onClose={close} onShow={open} />}
        {opened === 'shortcuts' && <ShortcutsSheet onClose={close} />}
        {opened === 'trigger-event' && <TriggerAnyEvent {...ofApp} />}
        {opened === 'change-server' && <ChangeServer {...ofApp} />}
      </Suspense>
    </>
  );
}

function useOpened() {
  const [opened, setOpened] = useState<PaletteDialog | 'palette'>();
  const before = useRef<Element | null>(null);
  const open = (wanted: PaletteDialog | 'palette'): void => {
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
