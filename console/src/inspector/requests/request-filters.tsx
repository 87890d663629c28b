// Filters of the request list. They are stored in the address, so that a view can be shared as a link.
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { isSecret } from '../../kit/search.ts';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { SavedViews } from '../saved-views/saved-views.tsx';
import { ActiveFilters } from './active-filters.tsx';
import { activeFilters } from './filter-labels.ts';
import { FilterSelects, type FiltersProps } from './filter-selects.tsx';
import classes from './filters.module.css';
import {
  applySearch,
  type OpenedObject,
  parseSearchText,
  type SearchTarget,
  toRequestsSearch,
  toSavedFilters,
  without,
  withoutFilters,
} from './search.ts';
import { TimeFilter } from './time-filter.tsx';

const APP = '/in/$organisationId/apps/$appId';

interface RequestFiltersProps extends FiltersProps {
  title: ReactNode;
  /** Switch between the views of the page. */
  views: ReactNode;
}

export function RequestFilters({ title, views, ...props }: RequestFiltersProps): ReactNode {
  const { search, keys, servers, onChange } = props;
  const [isOpen, { toggle }] = useDisclosure(false);
  const scope = useAppScope();
  const navigate = useNavigate();
  const open = ({ opens, id }: { opens: OpenedObject; id: string }): void => {
    if (opens === 'delivery') void navigate({ to: `${APP}/webhooks`, params: scope, search: { delivery: id } });
    else if (opens === 'endpoint')
      void navigate({ to: `${APP}/webhooks/endpoints/$endpointId`, params: { ...scope, endpointId: id } });
    else if (opens === 'event') void navigate({ to: `${APP}/events`, params: scope, search: { event: id } });
    else {
      const opened = toRequestsSearch({ ...search, request: id });
      void navigate({ to: `${APP}/requests`, params: scope, search: opened, resetScroll: false });
    }
  };
  const find = (found: NonNullable<SearchTarget>): void =>
    'filter' in found ? onChange(applySearch(search, found.filter)) : open(found);
  return (
    <Stack gap="xs" role="search" aria-label="Filters">
      <Group justify="space-between" gap="xs">
        {title}
        <Group gap="xs" className={classes.search ?? ''}>
          <SearchBox onFind={find} />
          <TimeFilter search={search} onChange={(time) => onChange(toRequestsSearch({ ...search, ...time }))} />
          <SavedViews
            scope={scope}
            page="requests"
            filters={toSavedFilters(search)}
            onOpen={(saved) => onChange(toRequestsSearch(saved))}
          />
          <Button
            hiddenFrom="sm"
            variant="default"
            px="sm"
            aria-label="More filters"
            aria-expanded={isOpen}
            onClick={toggle}
          >
            <IconAdjustmentsHorizontal size={16} aria-hidden />
          </Button>
        </Group>
        {views}
      </Group>
      <div className={classes.selects} data-open={isOpen || undefined}>
        <FilterSelects {...props} />
      </div>
      <ActiveFilters
        filters={activeFilters(search, keys, servers)}
        onRemove={(names) => onChange(without(search, names))}
        onClear={() => onChange(withoutFilters(search))}
      />
    </Stack>
  );
}

/** Search box. It opens a found object, and turns other text into a filter below. The box is then empty again. */
function SearchBox({ onFind }: { onFind: (found: NonNullable<SearchTarget>) => void }): ReactNode {
  const [text, setText] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isSecret(text)) return;
    const found = parseSearchText(text);
    if (found) onFind(found);
    setText('');
  };
  return (
    <form onSubmit={submit} style={{ flex: '1 1 220px' }}>
      <TextInput
        aria-label="Find"
        placeholder="Part of a path, or the id of a request, server, key, trace, event or delivery"
        leftSection={<IconSearch size={15} aria-hidden />}
        type="search"
        maxLength={5_000}
        value={text}
        error={
          isSecret(text) && 'This is a secret. An address must not contain secrets. Search for a key by its id: key_…'
        }
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </form>
  );
}
