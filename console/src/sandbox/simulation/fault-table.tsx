// The fault rules, one a row.
import { Box, Group, Switch, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Fault, Role } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { hint } from '../../kit/hints.tsx';
import { useReasonAgainst } from '../../kit/roles.ts';
import { When } from '../../kit/when.tsx';
import { ruleSentence } from './effect.ts';

interface FaultTableProps {
  faults: Fault[];
  role: Role | undefined;
  /** The rule that is being switched. */
  toggling: string | undefined;
  onToggle: (fault: Fault) => void;
  onChange: (fault: Fault) => void;
  onDelete: (fault: Fault) => void;
}

export function FaultTable({ faults, ...rest }: FaultTableProps): ReactNode {
  return (
    <Table aria-label="Fault rules" verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Rule</Table.Th>
          <Table.Th scope="col" visibleFrom="sm">
            Added
          </Table.Th>
          <Table.Th scope="col">On</Table.Th>
          <Table.Th scope="col" ta="right">
            Actions
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {faults.map((fault) => (
          <FaultRow key={fault.id} fault={fault} {...rest} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function FaultRow({
  fault,
  role,
  toggling,
  onToggle,
  onChange,
  onDelete,
}: Omit<FaultTableProps, 'faults'> & { fault: Fault }): ReactNode {
  const reason = useReasonAgainst(role, 'faults.change');
  const name = ruleSentence(fault);
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Text {...(!fault.isEnabled && { c: 'dimmed' })}>{name}</Text>
        <Text c="dimmed" component="span" visibleFrom="sm">
          <CopyId value={fault.id} label="rule id" />
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text c="dimmed" fz="xs">
          <When at={fault.createdAt} />
          <br />
          {fault.createdBy}
        </Text>
      </Table.Td>
      <Table.Td>
        <Box w="fit-content" {...hint(reason)}>
          <Switch
            aria-label={`On: ${name}`}
            checked={fault.isEnabled}
            disabled={reason !== undefined || toggling === fault.id}
            onChange={() => onToggle(fault)}
          />
        </Box>
      </Table.Td>
      <Table.Td>
        <Group gap={6} justify="flex-end">
          <GuardedButton
            role={role}
            action="faults.change"
            variant="default"
            size="xs"
            aria-label={`Change how often: ${name}`}
            onClick={() => onChange(fault)}
          >
            Share
          </GuardedButton>
          <GuardedButton
            role={role}
            action="faults.change"
            variant="default"
            size="xs"
            aria-label={`Delete the rule: ${name}`}
            onClick={() => onDelete(fault)}
          >
            Delete
          </GuardedButton>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
