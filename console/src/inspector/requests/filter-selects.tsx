// Select filters of the request list. A value from the address is shown even if the list does not contain it.
import { type ReactNode, useState } from 'react';
import type { Key } from '../../kit/api.ts';
import { FilterSelect } from '../../kit/filter-select.tsx';
import { useReference } from '../../platform/reference/use-reference.ts';
import { publicText } from '../../tenancy/keys/key-labels.ts';
import { atLeast, describeOperation, describeSimulated, describeStatus, type NamedObject } from './filter-labels.ts';
import { CODES, METHODS, NO_OPERATION, type RequestsSearch, STATUS_CLASSES, toRequestsSearch } from './search.ts';

const STATUSES = [200, 201, 204, 400, 401, 403, 404, 409, 422, 429, 500, 503];
const DURATIONS_MS = [100, 500, 1_000, 3_000, 10_000];

export interface FiltersProps {
  search: RequestsSearch;
  keys: Key[];
  servers: NamedObject[];
  onChange: (search: RequestsSearch) => void;
}

export function FilterSelects({ search, keys, servers, onChange }: FiltersProps): ReactNode {
  const set = (part: Partial<Record<keyof RequestsSearch, unknown>>): void =>
    onChange(toRequestsSearch({ ...search, ...part }));
  const { status, code, method, key, server, above, simulated } = search;
  return (
    <>
      <FilterSelect
        aria-label="Status"
        placeholder="Any status"
        searchable
        data={withChosen([...STATUS_CLASSES, ...STATUSES].map(toOption(describeStatus)), status, describeStatus)}
        value={textOrNull(status)}
        onChange={(value) => set({ status: numberOf(value) })}
      />
      <FilterSelect
        aria-label="Problem code"
        placeholder="Any problem"
        searchable
        data={[...CODES]}
        value={code ?? null}
        comboboxProps={{ width: 240, position: 'bottom-start' }}
        onChange={(value) => set({ code: value })}
      />
      <OperationSelect value={search.operation} onChange={(operation) => set({ operation })} />
      <FilterSelect
        aria-label="Method"
        placeholder="Any method"
        searchable
        data={withChosen(
          METHODS.map((one) => ({ value: one, label: one })),
          method,
        )}
        value={method ?? null}
        onChange={(value) => set({ method: value })}
      />
      <FilterSelect
        aria-label="Key"
        placeholder="Any key"
        searchable
        data={withChosen(
          keys.map(({ id, name, kid }) => ({ value: id, label: `${name} (${publicText(kid)})` })),
          key,
        )}
        value={key ?? null}
        comboboxProps={{ width: 300, position: 'bottom-start' }}
        onChange={(value) => set({ key: value })}
      />
      <FilterSelect
        aria-label="Server"
        placeholder="Any server"
        searchable
        nothingFoundMessage="Paste its id into the search box"
        data={withChosen(
          servers.map(({ id, name }) => ({ value: id, label: name })),
          server,
        )}
        value={server ?? null}
        comboboxProps={{ width: 260, position: 'bottom-start' }}
        onChange={(value) => set({ server: value })}
      />
      <FilterSelect
        aria-label="Duration"
        placeholder="Any duration"
        data={withChosen(DURATIONS_MS.map(toOption(atLeast)), above, atLeast)}
        value={textOrNull(above)}
        onChange={(value) => set({ above: numberOf(value) })}
      />
      <FilterSelect
        aria-label="Simulated fault"
        placeholder="Any fault"
        data={[true, false].map((one) => ({ value: String(one), label: describeSimulated(one) }))}
        value={textOrNull(simulated)}
        onChange={(value) => set({ simulated: value === null ? undefined : value === 'true' })}
      />
    </>
  );
}

interface OperationSelectProps {
  value: string | undefined;
  onChange: (operation: string | undefined) => void;
}

/** Selects an operation. The contract that lists them is loaded on first use. */
function OperationSelect({ value, onChange }: OperationSelectProps): ReactNode {
  const [isWanted, setWanted] = useState(false);
  const { data, isPending } = useReference(isWanted);
  const operations = [NO_OPERATION, ...(data?.operations ?? []).map(({ id }) => id)];
  return (
    <FilterSelect
      aria-label="Operation"
      placeholder="Any operation"
      searchable
      nothingFoundMessage={isPending ? 'Loading the contract…' : 'Unknown operation'}
      data={withChosen(
        operations.map((one) => ({ value: one, label: describeOperation(one) })),
        value,
      )}
      value={value ?? null}
      comboboxProps={{ width: 240, position: 'bottom-start' }}
      onFocus={() => setWanted(true)}
      onChange={(operation) => onChange(operation ?? undefined)}
    />
  );
}

interface Option {
  value: string;
  label: string;
}

const textOrNull = (value: number | boolean | undefined): string | null => (value === undefined ? null : String(value));
const numberOf = (value: string | null): number | undefined => (value === null ? undefined : Number(value));

const toOption =
  (words: (value: number) => string) =>
  (value: number): Option => ({ value: String(value), label: words(value) });

function withChosen<T extends number | string>(
  options: Option[],
  chosen: T | undefined,
  words: (value: T) => string = String,
): Option[] {
  if (chosen === undefined || options.some(({ value }) => value === String(chosen))) return options;
  return [...options, { value: String(chosen), label: words(chosen) }];
}
