// Lists facts of one object, each with its name. Unknown facts are omitted.
import { DataList } from '@mantine/core';
import type { ReactNode } from 'react';

export type Fact = readonly [label: string, value: ReactNode];

const isKnown = (value: ReactNode): boolean => value !== null && value !== undefined && value !== false && value !== '';

export function FactList({ facts }: { facts: readonly Fact[] }): ReactNode {
  return (
    <DataList labelWidth={130} gap={6}>
      {facts
        .filter(([, value]) => isKnown(value))
        .map(([label, value]) => (
          <DataList.Item key={label}>
            <DataList.ItemLabel>{label}</DataList.ItemLabel>
            <DataList.ItemValue miw={0} style={{ overflowWrap: 'anywhere' }}>
              {value}
            </DataList.ItemValue>
          </DataList.Item>
        ))}
    </DataList>
  );
}
