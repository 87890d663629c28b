// Select filters of the request list. They list the values that the app's requests have. A value from the address is
// shown even if no request has it.
import { type ReactNode, useState } from 'react';
import type { Key } from '../../kit/api.ts';
import { FilterSelect } from '../../kit/filter-select.tsx';
import { LoadOlder } from '../../kit/load-older.tsx';
import { shorten } from '../../kit/shorten.ts';
import { useItems } from '../../kit/use-all-pages.ts';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { publicText } from '../../tenancy/keys/key-labels.ts';
import { useKeys } from '../../tenancy/keys/use-keys.ts';
import { atLeast, describeOperation, describeSimulated, describeStatus, type NamedObject } from './filter-labels.ts';
import { type RequestsSearch, toRequestsSearch } from './search.ts';
import { useRequestValues } from './use-request-values.ts';

const DURATIONS_MS = [100, 500, 1_000, 3_000, 10_000];

export interface FiltersProps {
  search: RequestsSearch;
  keys: Key[];
  servers: NamedObject[];
  onChange: (search: RequestsSearch) => void;
}

export function FilterSelects({ search, keys, servers, onChange }: FiltersProps): ReactNode {
  const [isWanted, setWanted] = useState(false);
  const scope = useAppScope();
  const { data, isPending, refetch } = useRequestValues(scope, isWanted);
  const keyList = useKeys(scope);
  useItems(keyList, [search.key]); // the filter shows the name of the key
  const set = (part: Partial<Record<keyof RequestsSearch, unknown>>): void =>
    onChange(toRequestsSearch({ ...search, ...part }));
  const { status, code, operation, method, key, server, above, simulated } = search;
  const { statuses = [], codes = [], operationIds = [], methods = [], keyIds = [], serverIds = [] } = data ?? {};
  const classes = [...new Set(statuses.map((one) => Math.floor(one / 100)))];
  const ofRequests = {
    size: 'xs',
    searchable: true,
    nothingFoundMessage: isPending ? 'Loading…' : 'No request has this value',
    onDropdownOpen: () => (isWanted ? void refetch() : setWanted(true)),
  } as const;
  return (
    <>
      <FilterSelect
        {...ofRequests}
        aria-label="Status"
        placeholder="Any status"
        data={withChosen([...classes, ...statuses].map(toOption(describeStatus)), status, describeStatus)}
        value={textOrNull(status)}
        onChange={(value) => set({ status: numberOf(value) })}
      />
      <FilterSelect
        {...ofRequests}
        aria-label="Problem code"
        placeholder="Any problem"
        data={withChosen(codes.map(toOption(String)), code)}
        value={code ?? null}
        comboboxProps={{ width: 240, position: 'bottom-start' }}
        onChange={(value) => set({ code: value })}
      />
      <FilterSelect
        {...ofRequests}
        aria-label="Operation"
        placeholder="Any operation"
        data={withChosen(operationIds.map(toOption(describeOperation)), operation)}
        value={operation ?? null}
        comboboxProps={{ width: 240, position: 'bottom-start' }}
        onChange={(value) => set({ operation: value })}
      />
      <FilterSelect
        {...ofRequests}
        aria-label="Method"
        placeholder="Any method"
        data={withChosen(methods.map(toOption(String)), method)}
        value={method ?? null}
        onChange={(value) => set({ method: value })}
      />
      <FilterSelect
        {...ofRequests}
        aria-label="Key"
        placeholder="Any key"
        data={withChosen(keyIds.map(toOption(describeKey(keys))), key, describeKey(keys))}
        value={key ?? null}
        comboboxProps={{ width: 300, position: 'bottom-start' }}
        onChange={(value) => set({ key: value })}
      />
      <FilterSelect
        {...ofRequests}
        aria-label="Server"
        placeholder="Any server"
        data={withChosen(serverIds.map(toOption(describeServer(servers))), server, describeServer(servers))}
        value={server ?? null}
        comboboxProps={{ width: 260, position: 'bottom-start' }}
        onChange={(value) => set({ server: value })}
      />
      <FilterSelect
        size="xs"
        aria-label="Duration"
        placeholder="Any duration"
        data={withChosen(DURATIONS_MS.map(toOption(atLeast)), above, atLeast)}
        value={textOrNull(above)}
        onChange={(value) => set({ above: numberOf(value) })}
      />
      <FilterSelect
        size="xs"
        aria-label="Simulated fault"
        placeholder="Any fault"
        data={[true, false].map((one) => ({ value: String(one), label: describeSimulated(one) }))}
        value={textOrNull(simulated)}
        onChange={(value) => set({ simulated: value === null ? undefined : value === 'true' })}
      />
      {/* Keys that are not loaded are listed by their identifiers. */}
      <LoadOlder noun="keys" list={keyList} />
    </>
  );
}

interface Option {
  value: string;
  label: string;
}

const textOrNull = (value: number | boolean | undefined): string | null => (value === undefined ? null : String(value));
const numberOf = (value: string | null): number | undefined => (value === null ? undefined : Number(value));

const describeKey =
  (keys: readonly Key[]) =>
  (id: string): string => {
    const key = keys.find((one) => one.id === id);
    return key ? `${key.name} (${publicText(key.kid)})` : shorten(id);
  };
const describeServer =
  (servers: readonly NamedObject[]) =>
  (id: string): string =>
    servers.find((one) => one.id === id)?.name ?? shorten(id);

const toOption =
  <T extends number | string>(words: (value: T) => string) =>
  (value: T): Option => ({ value: String(value), label: words(value) });

function withChosen<T extends number | string>(
  options: Option[],
  chosen: T | undefined,
  words: (value: T) => string = String,
): Option[] {
  if (chosen === undefined || options.some(({ value }) => value === String(chosen))) return options;
  return [...options, { value: String(chosen), label: words(chosen) }];
}
