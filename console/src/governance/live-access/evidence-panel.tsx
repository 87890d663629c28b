// What an app has shown in the sandbox, each thing with what was found and what to do about it.
import { Code, Group, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Evidence, Scope } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { shorten } from '../../kit/shorten.ts';
import { StateBadge } from '../../kit/state-badge.tsx';
import { exactTime } from '../../kit/time.ts';
import { ITEM_WORDS } from './words.ts';

interface EvidencePanelProps {
  evidence: Evidence;
  /** Those that are asked for; the others do not matter. */
  scopes: readonly Scope[];
  /** Of what was submitted. */
  sha256?: string | undefined;
}

export function EvidencePanel({ evidence, scopes, sha256 }: EvidencePanelProps): ReactNode {
  const asked = evidence.scopes.filter(({ scope }) => scopes.includes(scope));
  return (
    <Stack gap="xs">
      <SectionHead title="Evidence from the sandbox" order={3}>
        {sha256 ? 'Frozen at the submission,' : 'As of now, until it is submitted,'} from what happened since{' '}
        {exactTime(evidence.since)}. Nobody can enter anything here.
      </SectionHead>
      <Panel>
        <Table aria-label="Evidence" verticalSpacing="sm">
          <Table.Tbody>
            {asked.map(({ scope, outcome, lastRequestAt, mend }) => (
              <Row key={scope} title={<Code>{scope}</Code>} outcome={outcome} mend={mend}>
                {lastRequestAt ? `Last used with success ${exactTime(lastRequestAt)}.` : 'Not used with success.'}
              </Row>
            ))}
            {evidence.items.map(({ name, outcome, finding, mend }) => (
              <Row key={name} title={ITEM_WORDS[name]} outcome={outcome} mend={mend}>
                {finding}
              </Row>
            ))}
          </Table.Tbody>
        </Table>
      </Panel>
      {sha256 && (
        <Group gap={6} c="dimmed" fz="xs">
          <Text inherit>SHA-256 of what was submitted:</Text>
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
  mend: string | null;
  children: ReactNode;
}

function Row({ title, outcome, mend, children }: RowProps): ReactNode {
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      {/* One above the other on a phone, where a column would break the names of scopes; the roles are lost with the display. */}
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
          {mend && <Text c="dimmed">{mend}</Text>}
        </Stack>
      </Table.Td>
    </Table.Tr>
  );
}
