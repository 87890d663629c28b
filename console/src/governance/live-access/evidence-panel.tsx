// Shows the evidence of an app from the sandbox: each item with its result and advice.
import { Code, Group, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Evidence, Scope } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { Inline } from '../../kit/inline.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { shorten } from '../../kit/shorten.ts';
import { StateBadge } from '../../kit/state-badge.tsx';
import { exactTime } from '../../kit/time.ts';
import { ITEM_LABELS } from './labels.ts';

interface EvidencePanelProps {
  evidence: Evidence;
  /** Requested scopes. Evidence for other scopes is not relevant. */
  scopes: readonly Scope[];
  /** Hash of the submitted request. */
  sha256?: string | undefined;
}

export function EvidencePanel({ evidence, scopes, sha256 }: EvidencePanelProps): ReactNode {
  const requested = evidence.scopes.filter(({ scope }) => scopes.includes(scope));
  const outcomes = [...requested, ...evidence.items].map(({ outcome }) => outcome);
  const shown = outcomes.filter((outcome) => outcome === 'ok').length;
  return (
    <Stack gap="xs">
      <SectionHead
        title="Evidence from the sandbox"
        order={3}
        action={
          <StateBadge tone={shown === outcomes.length ? 'good' : 'warning'}>
            {`${shown} of ${outcomes.length} shown`}
          </StateBadge>
        }
      >
        {sha256 ? 'Frozen at the submission,' : 'Current until the submission,'} from recorded activity since{' '}
        {exactTime(evidence.since)}. It cannot be edited.
      </SectionHead>
      <Panel>
        <Table aria-label="Evidence" verticalSpacing="sm">
          <Table.Tbody>
            {requested.map(({ scope, outcome, lastRequestAt, fix }) => (
              <Row key={scope} title={<Code>{scope}</Code>} outcome={outcome} fix={fix}>
                {lastRequestAt ? `Last used with success ${exactTime(lastRequestAt)}.` : 'Not used with success.'}
              </Row>
            ))}
            {evidence.items.map(({ name, outcome, finding, fix }) => (
              <Row key={name} title={ITEM_LABELS[name]} outcome={outcome} fix={fix}>
                {finding}
              </Row>
            ))}
          </Table.Tbody>
        </Table>
      </Panel>
      {sha256 && (
        <Group gap={6} c="dimmed" fz="xs">
          <Text inherit>SHA-256 of the submission:</Text>
          <CopyId value={sha256} label="SHA-256 of the submission" shown={shorten(sha256)} />
        </Group>
      )}
    </Stack>
  );
}

const ABOVE = { display: { base: 'block', sm: 'table-cell' } };

interface RowProps {
  title: ReactNode;
  outcome: 'ok' | 'missing';
  fix: string | null;
  children: ReactNode;
}

function Row({ title, outcome, fix, children }: RowProps): ReactNode {
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      {/* Stacked on a phone, where a column would break the names of scopes. The display value removes the table roles. */}
      <Table.Th
        scope="row"
        role="rowheader"
        fw={550}
        {...ABOVE}
        w={{ base: '100%', sm: 230 }}
        pb={{ base: 4, sm: 'sm' }}
      >
        {title}
      </Table.Th>
      <Table.Td role="cell" {...ABOVE} pt={{ base: 0, sm: 'sm' }}>
        <Stack gap={4} align="flex-start">
          <StateBadge tone={outcome === 'ok' ? 'good' : 'warning'}>{outcome === 'ok' ? 'shown' : 'missing'}</StateBadge>
          <Text>{children}</Text>
          {fix && (
            <Text c="dimmed">
              <Inline>{fix}</Inline>
            </Text>
          )}
        </Stack>
      </Table.Td>
    </Table.Tr>
  );
}
