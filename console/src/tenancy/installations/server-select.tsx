// Selects a server. A value from the address is shown even if the list does not contain it.
import type { SelectProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { FilterSelect } from '../../kit/filter-select.tsx';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { useServerList } from './use-server-list.ts';

interface ServerSelectProps {
  placeholder: string;
  value: string | undefined;
  w?: SelectProps['w'];
  onChange: (serverId: string | null) => void;
}

export function ServerSelect({ placeholder, value, w = 240, onChange }: ServerSelectProps): ReactNode {
  const { servers, list } = useServerList(useAppScope());
  const isListed = value === undefined || servers.some(({ serverId }) => serverId === value);
  return (
    <FilterSelect
      aria-label="Server"
      placeholder={placeholder}
      {...list}
      w={w}
      data={[
        ...servers.map(({ serverId, serverName }) => ({ value: serverId, label: serverName })),
        ...(isListed ? [] : [{ value, label: value }]),
      ]}
      value={value ?? null}
      onChange={onChange}
    />
  );
}
