// Shows the evidence of an app from the sandbox: each item with its result and advice.
import { Code, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Evidence, Scope } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
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

interface EvidenceRow extends Pick<Evidence['items'][number], 'outcome' | 'finding' | 'fix'> {
  name: string;
  title: ReactNode;
}

const evidenceRows = ({ scopes, items }: Evidence, requested: readonly Scope[]): EvidenceRow[] => [
  ...scopes
    .filter(({ scope }) => requested.includes(scope))
    .map(({ scope, lastRequestAt, ...rest }) => ({
      name: scope,
      title: <Code>{scope}</Code>,
      finding: lastRequestAt ? `Last used with success ${exactTime(lastRequestAt)}.` : 'Not used with success.',
      ...rest,
    })),
  ...items.map((item) => ({ ...item, title: ITEM_LABELS[item.name] })),
];

const COLUMNS: readonly Column<EvidenceRow>[] = [
  {
    head: 'Item',
    w: 230,
    isRowHeader: true,
    cell: ({ title }) => (
      <Text span fw={550}>
        {title}
      </Text>
    ),
  },
  // Folded on a phone, where a column would break the names of scopes.
  {
    head: 'Evidence',
    from: 'sm',
    fold: true,
    cell: ({ outcome, finding, fix }) => (
      <Stack gap={4} align="flex-start">
        <StateBadge tone={outcome === 'ok' ? 'good' : 'warning'}>{outcome === 'ok' ? 'shown' : 'missing'}</StateBadge>
        <Text>{finding}</Text>
        {fix && (
          <Text c="dimmed">
            <Inline>{fix}</Inline>
          </Text>
        )}
      </Stack>
    ),
  },
];

export function EvidencePanel({ evidence, scopes, sha256 }: EvidencePanelProps): ReactNode {
  const rows = evidenceRows(evidence, scopes);
  const shown = rows.filter(({ outcome }) => outcome === 'ok').length;
  return (
    <Stack gap="xs">
      <SectionHead
        title="Evidence from the sandbox"
        order={3}
        action={
          <StateBadge tone={shown === rows.length ? 'good' : 'warning'}>
            {`${shown} of ${rows.length} shown`}
          </StateBadge>
        }
      >
        {sha256 ? 'Frozen at the submission,' : 'Current until the submission,'} from recorded activity since{' '}
        {exactTime(evidence.since)}. It cannot be edited.
      </SectionHead>
      <Panel>
        <DataTable
          label="Evidence"
          verticalSpacing="sm"
          isHeadless
          isTop
          columns={COLUMNS}
          rows={rows}
          rowKey={({ name }) => name}
        />
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
