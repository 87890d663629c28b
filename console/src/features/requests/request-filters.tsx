// The filters, which are the address: what is chosen here can be shared as a link.
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { ActiveFilters } from './active-filters.tsx';
import { FilterSelects, type FiltersProps } from './filter-selects.tsx';
import { activeFilters } from './filter-words.ts';
import classes from './filters.module.css';
import { isSecret, lookedFor, toRequestsSearch, without, withoutFilters } from './search.ts';
import { TimeFilter } from './time-filter.tsx';

export function RequestFilters(props: FiltersProps): ReactNode {
  const { search, keys, servers, onChange } = props;
  const [isOpen, { toggle }] = useDisclosure(false);
  const scope = useAppScope();
  const navigate = useNavigate();
  const find = ({ delivery, ...found }: ReturnType<typeof lookedFor>): void => {
    if (delivery === undefined) onChange(toRequestsSearch({ ...search, ...found }));
    else void navigate({ to: '/in/$organisationId/apps/$appId/webhooks', params: scope, search: { delivery } });
  };
  return (
    <Stack gap="xs" role="search" aria-label="Filters">
      <Group gap="xs" wrap="nowrap">
        <SearchBox onFind={find} />
        <TimeFilter search={search} onChange={(time) => onChange(toRequestsSearch({ ...search, ...time }))} />
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

/** What is found becomes a filter of its own below, so that the box is free again. */
function SearchBox({ onFind }: { onFind: (found: ReturnType<typeof lookedFor>) => void }): ReactNode {
  const [text, setText] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isSecret(text)) return;
    onFind(lookedFor(text));
    setText('');
  };
  return (
    <form onSubmit={submit} style={{ flex: 1, minWidth: 0 }}>
      <TextInput
        aria-label="Find"
        placeholder="Part of a path, or an id of a request, server, key, trace, event or delivery"
        leftSection={<IconSearch size={15} aria-hidden />}
        type="search"
        maxLength={5_000}
        value={text}
        error={isSecret(text) && 'That is a secret, which belongs in no address. A key is found by its id: key_…'}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </form>
  );
}
