// Opens the next or the previous request of the list by a single key, and returns the text that announces it.
import { useEffect, useRef, useState } from 'react';
import type { RequestRecord } from '../../kit/api.ts';
import { isModalOpen } from '../../kit/open-modal.ts';
import { useSingleKey } from '../../kit/single-keys.ts';

export const STEP_KEYS = { next: 'j', previous: 'k' } as const;

interface RequestSteps {
  requests: readonly RequestRecord[];
  openId: string | undefined;
  onOpen: (requestId: string) => void;
  /** Called at the end of the list. */
  onEnd: () => void;
}

export function useRequestSteps({ requests, openId, onOpen, onEnd }: RequestSteps): string {
  const [announced, setAnnounced] = useState('');
  const isStep = useRef(false);
  const step = (by: 1 | -1): void => {
    if (isModalOpen()) return;
    const at = requests.findIndex(({ id }) => id === openId);
    const next = requests[Math.max(0, at + by)];
    if (!next) {
      setAnnounced('This is the last request of the list.');
      onEnd();
      return;
    }
    isStep.current = true;
    // The content of the drawer is replaced, and the focus with it.
    document.activeElement?.closest<HTMLElement>('[role=dialog]')?.focus({ preventScroll: true });
    const { id, status, method, path } = next;
    setAnnounced(`Request ${requests.indexOf(next) + 1} of ${requests.length}: ${status ?? 'reset'} ${method} ${path}`);
    onOpen(id);
  };
  useSingleKey(STEP_KEYS.next, () => step(1));
  useSingleKey(STEP_KEYS.previous, () => step(-1));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the open row depends on the open request
  useEffect(() => {
    if (isStep.current) document.querySelector('tr[data-open]')?.scrollIntoView({ block: 'nearest' });
    isStep.current = false;
  }, [openId]);
  return announced;
}
