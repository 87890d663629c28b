// Loads the next page of a list that a form offers as choices. The first page has the newest 100.
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

interface PagedList {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

export function LoadOlder({ noun, list }: { noun: 'keys' | 'endpoints'; list: PagedList }): ReactNode {
  return (
    list.hasNextPage && (
      <Button
        variant="default"
        size="xs"
        w="fit-content"
        loading={list.isFetchingNextPage}
        onClick={() => void list.fetchNextPage()}
      >
        Load older {noun}
      </Button>
    )
  );
}
