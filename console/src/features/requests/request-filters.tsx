// The filters, which are the address: what is chosen here can be shared as a link.
import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Key } from '../../kit/api.ts';
import { FilterSelect } from '../../kit/filter-select.tsx';
import { publicText } from '../keys/key-words.ts';
import { CODES, hasFilters, METHODS, type RequestsSearch, STATUS_CLASSES, toRequestsSearch } from './search.ts';

interface RequestFiltersProps {
  search: RequestsSearch;
  keys: Key[];
  onChange: (search: RequestsSearch) => void;
}

export function RequestFilters({ search, keys, onChange }: RequestFiltersProps): ReactNode {
  const set = (part: Record<string, string | number | null>): void =>
    onChange(toRequestsSearch({ ...search, ...part }));
  const { live, request } = search;
  const isKnownKey = search.key === undefined || keys.some((key) => key.id === search.key);
  return (
    <Group gap="xs" role="search" aria-label="Filters">
      <FilterSelect
        aria-label="Status"
        placeholder="Any status"
        w={125}
        data={STATUS_CLASSES.map((one) => ({ value: String(one), label: `${one}xx` }))}
        value={search.status === undefined ? null : String(search.status)}
        onChange={(value) => set({ status: value === null ? null : Number(value) })}
      />
      <FilterSelect
        aria-label="Method"
        placeholder="Any method"
        w={135}
        data={[...METHODS]}
        value={search.method ?? null}
        onChange={(method) => set({ method })}
      />
      <FilterSelect
        aria-label="Problem code"
        placeholder="Any problem code"
        searchable
        w={210}
        data={[...CODES]}
        value={search.code ?? null}
        onChange={(code) => set({ code })}
      />
      <FilterSelect
        aria-label="Key"
        placeholder="Any key"
        searchable
        w={230}
        data={[
          ...keys.map((key) => ({ value: key.id, label: `${key.name} (${publicText(key.kid)})` })),
          ...(isKnownKey || search.key === undefined ? [] : [{ value: search.key, label: search.key }]),
        ]}
        value={search.key ?? null}
        onChange={(key) => set({ key })}
      />
      {hasFilters(search) && (
        <Button variant="subtle" size="xs" onClick={() => onChange(toRequestsSearch({ live, request }))}>
          Clear
        </Button>
      )}
    </Group>
  );
}
