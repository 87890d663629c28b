// Whether the list is live, whether it waits because someone reads it, and how many are new meanwhile.
import { Button, Group, Switch, Text } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './requests.module.css';
import type { RequestsSearch } from './search.ts';

interface LiveBarProps {
  search: RequestsSearch;
  isPaused: boolean;
  /** How many are new, in words. */
  waiting: string;
  tailError: Error | null;
  onChange: (search: RequestsSearch) => void;
}

export function LiveBar({ search, isPaused, waiting, tailError, onChange }: LiveBarProps): ReactNode {
  const { live, ...rest } = search;
  const isLive = live !== false;
  return (
    <Group gap="sm" mih={32}>
      {isLive && (
        <Group gap={7}>
          <span className={classes.live} data-paused={isPaused || tailError ? true : undefined} aria-hidden />
          <Text c="dimmed" miw={120}>
            {liveWords(isPaused, waiting, tailError)}
          </Text>
        </Group>
      )}
      <Switch
        label="Live"
        checked={isLive}
        onChange={(event) => onChange(event.currentTarget.checked ? rest : { ...rest, live: false })}
      />
    </Group>
  );
}

function liveWords(isPaused: boolean, waiting: string, error: Error | null): string {
  if (error) return 'No answer, trying again';
  if (!isPaused) return 'Every 2 seconds';
  return waiting === '' ? 'Paused while you read' : `Paused while you read: ${waiting}`;
}

/** For the one who has scrolled away from the head of the list. */
export function NewPill({ waiting, onShow }: { waiting: string; onShow: () => void }): ReactNode {
  return (
    <div className={classes.pill} role="status">
      <Button size="xs" radius="xl" leftSection={<IconArrowUp size={14} aria-hidden />} onClick={onShow}>
        {waiting}
      </Button>
    </div>
  );
}
