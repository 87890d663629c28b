// Table of the fault rules.
import { Box, Group, Switch, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Fault, Role } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { hint } from '../../kit/hints.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { useRefusalReason } from '../../kit/roles.ts';
import { ruleSentence } from './effect.ts';

interface FaultTableProps {
  faults: Fault[];
  role: Role | undefined;
  /** Rule that is being switched. */
  toggling: string | undefined;
  onToggle: (fault: Fault) => void;
  onChange: (fault: Fault) => void;
  onDelete: (fault: Fault) => void;
}

export function FaultTable({ faults, role, toggling, onToggle, onChange, onDelete }: FaultTableProps): ReactNode {
  const reason = useRefusalReason(role, 'faults.change');
  const button = { role, action: 'faults.change', variant: 'default', size: 'xs' } as const;
  const columns: Column<Fault>[] = [
    {
      head: 'Rule',
      cell: (fault) => (
        <>
          <Text {...(!fault.isEnabled && { c: 'dimmed' })}>{ruleSentence(fault)}</Text>
          <Text c="dimmed" component="span" visibleFrom="sm">
            <CopyId value={fault.id} label="rule id" />
          </Text>
        </>
      ),
      wraps: true,
    },
    {
      head: 'Added',
      cell: ({ createdAt, createdBy }) => (
        <Text c="dimmed" fz="xs">
          <RelativeTime at={createdAt} />
          <br />
          {createdBy}
        </Text>
      ),
      from: 'sm',
    },
    {
      head: 'On',
      cell: (fault) => (
        <Box w="fit-content" {...hint(reason)}>
          <Switch
            aria-label={`On: ${ruleSentence(fault)}`}
            checked={fault.isEnabled}
            disabled={reason !== undefined || toggling === fault.id}
            onChange={() => onToggle(fault)}
          />
        </Box>
      ),
    },
    {
      head: 'Actions',
      align: 'right',
      cell: (fault) => (
        <Group gap={6} justify="flex-end">
          <GuardedButton
            {...button}
            aria-label={`Change share: ${ruleSentence(fault)}`}
            onClick={() => onChange(fault)}
          >
            Share
          </GuardedButton>
          <GuardedButton
            {...button}
            aria-label={`Delete the rule: ${ruleSentence(fault)}`}
            onClick={() => onDelete(fault)}
          >
            Delete
          </GuardedButton>
        </Group>
      ),
    },
  ];
  return <DataTable label="Fault rules" verticalSpacing="sm" columns={columns} rows={faults} rowKey={({ id }) => id} />;
}
