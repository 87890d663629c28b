// Filter of an event type. It lists the types of the app's events. A type from the address is shown even if no event has it.
import type { SelectProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, type EventType } from '../../kit/api.ts';
import { FilterSelect } from '../../kit/filter-select.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { ALL_TYPES } from '../../webhooks/webhooks/event-types.ts';

const FRESH_MS = 5_000;

interface EventTypeFilterProps extends Pick<SelectProps, 'aria-label' | 'placeholder' | 'size' | 'w' | 'onChange'> {
  value: EventType | undefined;
  /** Test events have deliveries, but the list of events leaves them out. */
  includesTests?: boolean;
}

export function EventTypeFilter({ value, includesTests = false, ...select }: EventTypeFilterProps): ReactNode {
  const scope = useAppScope();
  const [isWanted, setWanted] = useState(false);
  const { data, isPending, refetch } = useQuery({
    queryKey: [...queryKeys.events(scope), 'types'],
    queryFn: ({ signal }) => api.getEventTypes(scope, { signal }),
    staleTime: FRESH_MS,
    enabled: isWanted,
  });
  const found = [...(data?.types ?? []), ...(includesTests ? (data?.testTypes ?? []) : [])];
  return (
    <FilterSelect
      {...select}
      searchable
      nothingFoundMessage={isPending ? 'Loading…' : 'No event has this type'}
      onDropdownOpen={() => (isWanted ? void refetch() : setWanted(true))}
      data={ALL_TYPES.filter((type) => type === value || found.includes(type))}
      value={value ?? null}
    />
  );
}
