// Filters of the events. They are stored in the address, so that a view can be shared as a link.
import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { FilterText } from '../../kit/filter-text.tsx';
import { HALF_ROW } from '../../kit/filter-width.ts';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { ServerSelect } from '../../tenancy/installations/server-select.tsx';
import { TimeFilter } from '../requests/time-filter.tsx';
import { SavedViews } from '../saved-views/saved-views.tsx';
import { EventTypeFilter } from './event-type-filter.tsx';
import { type EventsSearch, toEventsSearch } from './search.ts';

interface EventFiltersProps {
  search: EventsSearch;
  onChange: (search: EventsSearch) => void;
}

export function EventFilters({ search, onChange }: EventFiltersProps): ReactNode {
  const { type, server, subject, event, ...time } = search;
  const set = (part: Partial<Record<keyof EventsSearch, unknown>>): void =>
    onChange(toEventsSearch({ ...search, ...part }));
  const isFiltered = [type, server, subject, ...Object.values(time)].some((value) => value !== undefined);
  return (
    <Group gap="xs" role="search" aria-label="Filters">
      <EventTypeFilter
        aria-label="Type"
        placeholder="Any type"
        w={{ base: HALF_ROW, sm: 220 }}
        value={type}
        onChange={(value) => set({ type: value })}
      />
      <ServerSelect
        placeholder="Any server"
        w={{ base: HALF_ROW, sm: 220 }}
        value={server}
        onChange={(value) => set({ server: value })}
      />
      <FilterText
        aria-label="Subject"
        placeholder="Any subject id"
        w={{ base: HALF_ROW, sm: 250 }}
        maxLength={40}
        isIdentifier
        value={subject ?? ''}
        onChange={(value) => set({ subject: value })}
      />
      <TimeFilter search={time} onChange={set} />
      <SavedViews
        scope={useAppScope()}
        page="events"
        filters={{ type, server, subject, ...time }}
        onOpen={(saved) => onChange(toEventsSearch(saved))}
      />
      {isFiltered && (
        <Button variant="subtle" size="xs" onClick={() => onChange(toEventsSearch({ event }))}>
          Clear
        </Button>
      )}
    </Group>
  );
}
