// Filters of the audit log. They are stored in the address, so that a view can be shared as a link.
import { Button, Group, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { FilterSelect } from '../../kit/filter-select.tsx';
import { FilterText } from '../../kit/filter-text.tsx';
import { HALF_ROW } from '../../kit/filter-width.ts';
import { useApps } from '../../tenancy/apps/use-app.ts';
import { ACTIONS, describeAction } from './audit-labels.ts';
import { type AuditSearch, dayBefore, toAuditSearch } from './search.ts';

interface AuditFiltersProps {
  organisationId: string;
  search: AuditSearch;
  onChange: (search: AuditSearch) => void;
}

/** Adds the value of the address to the choices if it is unknown. */
function withChosen(choices: { value: string; label: string }[], chosen: string | undefined) {
  const isKnown = chosen === undefined || choices.some(({ value }) => value === chosen);
  return isKnown ? choices : [...choices, { value: chosen, label: chosen }];
}

export function AuditFilters({ organisationId, search, onChange }: AuditFiltersProps): ReactNode {
  const apps = useApps(organisationId).items ?? [];
  const set = (part: Partial<Record<keyof AuditSearch, string | null>>): void =>
    onChange(toAuditSearch({ ...search, ...part }));
  const actions = ACTIONS.map((value) => ({ value, label: describeAction(value) }));
  return (
    <Group gap="xs" role="search" aria-label="Filters">
      <FilterText
        aria-label="Actor"
        placeholder="Any actor’s address"
        w={{ base: HALF_ROW, sm: 190 }}
        maxLength={320}
        value={search.actor ?? ''}
        onChange={(actor) => set({ actor })}
      />
      <FilterSelect
        aria-label="Action"
        placeholder="Any action"
        searchable
        w={{ base: HALF_ROW, sm: 210 }}
        data={withChosen(actions, search.action)}
        value={search.action ?? null}
        onChange={(action) => set({ action })}
      />
      <FilterText
        aria-label="Target"
        placeholder="Any target id"
        w={{ base: HALF_ROW, sm: 180 }}
        maxLength={320}
        value={search.target ?? ''}
        onChange={(target) => set({ target })}
      />
      <FilterSelect
        aria-label="App"
        placeholder="Any app"
        searchable
        w={{ base: HALF_ROW, sm: 170 }}
        data={withChosen(
          apps.map(({ id, name }) => ({ value: id, label: name })),
          search.app,
        )}
        value={search.app ?? null}
        onChange={(app) => set({ app })}
      />
      <FilterSelect
        aria-label="Period"
        placeholder="Any time"
        w={{ base: HALF_ROW, sm: 130 }}
        data={PERIODS}
        value={periodOf(search)}
        onChange={(days) => set({ from: days === null ? null : dayBefore(Number(days)), to: null })}
      />
      <Group gap={6} wrap="nowrap">
        <DayInput label="From day" value={search.from} onChange={(from) => set({ from })} />
        –
        <DayInput label="To day" value={search.to} onChange={(to) => set({ to })} />
      </Group>
      {Object.keys(search).length > 0 && (
        <Button variant="subtle" size="xs" onClick={() => onChange({})}>
          Clear
        </Button>
      )}
    </Group>
  );
}

/** Periods that end today, by the number of days before today. */
const PERIODS = [
  { value: '0', label: 'Today' },
  { value: '6', label: 'Last 7 days' },
  { value: '29', label: 'Last 30 days' },
];

const periodOf = ({ from, to }: AuditSearch): string | null =>
  (to === undefined && PERIODS.find(({ value }) => dayBefore(Number(value)) === from)?.value) || null;

interface DayInputProps {
  label: string;
  value: string | undefined;
  onChange: (day: string) => void;
}

function DayInput({ label, value = '', onChange }: DayInputProps): ReactNode {
  return (
    <TextInput
      type="date"
      aria-label={label}
      w={140}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
