// Opens the next or the previous row of a list in its drawer by a single key, and announces the row to a screen reader.
//
//   <ListSteps
//     noun="event"
//     rows={events.items}
//     openId={search.event}
//     describe={({ type }) => type}
//     onOpen={(event) => void navigate({ search: { ...search, event } })}
//     onEnd={() => events.hasNextPage && void events.fetchNextPage()}
//   />
import { VisuallyHidden } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { isModalOpen } from './open-modal.ts';
import { useSingleKey } from './single-keys.ts';

export const STEP_KEYS = { next: 'j', previous: 'k' } as const;

interface ListStepsProps<T extends { id: string }> {
  /** The name of a row, such as "event". */
  noun: string;
  rows: readonly T[] | undefined;
  openId: string | undefined;
  /** Returns the text that announces a row. */
  describe: (row: T) => string;
  onOpen: (id: string) => void;
  /** Called at the end of the list. */
  onEnd: () => void;
}

export function ListSteps<T extends { id: string }>(props: ListStepsProps<T>): ReactNode {
  const { noun, rows = [], openId, describe, onOpen, onEnd } = props;
  const [announced, setAnnounced] = useState('');
  const isStep = useRef(false);
  const step = (by: 1 | -1): void => {
    if (isModalOpen()) return;
    const at = rows.findIndex(({ id }) => id === openId);
    const next = rows[Math.max(0, at + by)];
    if (!next) {
      setAnnounced(`This is the last ${noun} of the list.`);
      onEnd();
      return;
    }
    isStep.current = true;
    // The content of the drawer is replaced, and the focus with it.
    document.activeElement?.closest<HTMLElement>('[role=dialog]')?.focus({ preventScroll: true });
    const name = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
    setAnnounced(`${name} ${rows.indexOf(next) + 1} of ${rows.length}: ${describe(next)}`);
    onOpen(next.id);
  };
  useSingleKey(STEP_KEYS.next, () => step(1));
  useSingleKey(STEP_KEYS.previous, () => step(-1));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the open row depends on the open identifier
  useEffect(() => {
    if (isStep.current) document.querySelector('tr[data-open]')?.scrollIntoView({ block: 'nearest' });
    isStep.current = false;
  }, [openId]);
  return <VisuallyHidden role="status">{announced}</VisuallyHidden>;
}
