// States of every list: loading without a layout shift, empty with a next step, and more to load.
import { Box, Button, EmptyState, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Panel } from './panel.tsx';

export function RowsSkeleton({ rows = 5, height = 20 }: { rows?: number; height?: number }): ReactNode {
  return (
    <Panel>
      <Stack gap={22} p="md" aria-busy="true" aria-label="Loading" role="status">
        {Array.from({ length: rows }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
          <Skeleton key={index} height={height} width={`${92 - ((index * 17) % 40)}%`} />
        ))}
      </Stack>
    </Panel>
  );
}

/**
 * Hides content until the part above it has a known height, so that the content is not shifted. The content loads
 * meanwhile.
 */
export function HiddenUntilKnown({ isKnown, children }: { isKnown: boolean; children: ReactNode }): ReactNode {
  return <Box hidden={!isKnown}>{children}</Box>;
}

interface EmptyListProps {
  icon: ReactNode;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}

export function EmptyList({ icon, title, children, action }: EmptyListProps): ReactNode {
  return (
    <Panel>
      <EmptyState py={48} px="md" variant="light" icon={icon} title={title} description={children}>
        {action && <EmptyState.Actions>{action}</EmptyState.Actions>}
      </EmptyState>
    </Panel>
  );
}

interface OnlyOneProps {
  noun: string;
  isFound: boolean;
  /** Link to the whole list. */
  all: ReactNode;
}

/** Says that the address selects one object of the list, or that the list has no such object and is shown whole. */
export function OnlyOne({ noun, isFound, all }: OnlyOneProps): ReactNode {
  return (
    <Group gap="xs" role="status">
      <Text>{isFound ? `Only one ${noun} is shown.` : `This list has no ${noun} with this id.`}</Text>
      {isFound && all}
    </Group>
  );
}

interface LoadMoreProps {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
  label?: string;
  /** Set for a live list that has grown too long to be refreshed. */
  restart?: (() => void) | undefined;
}

export function LoadMore({
  hasNextPage,
  isFetchingNextPage,
  fetchNextPage,
  label = 'Load more',
  restart,
}: LoadMoreProps): ReactNode {
  if (!hasNextPage && !restart) return null;
  return (
    <Stack p="sm" gap="xs" align="center">
      {hasNextPage && (
        <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {label}
        </Button>
      )}
      {restart && (
        <Group gap={6} justify="center">
          <Text c="dimmed" fz="xs">
            A list of this length is not refreshed.
          </Text>
          <Button variant="subtle" size="compact-xs" onClick={restart}>
            Show the newest
          </Button>
        </Group>
      )}
    </Stack>
  );
}
