// Shows one audit entry in full, with its position in the chain. An entry has its own address and is loaded if the list
// does not contain it.
import { Drawer, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { type AuditEntry, api } from '../../kit/api.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { CopyId } from '../../kit/copy.tsx';
import { type Fact, FactList } from '../../kit/fact-list.tsx';
import { RowsSkeleton } from '../../kit/list-states.tsx';
import { grouped } from '../../kit/number.ts';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { exactTime } from '../../kit/time.ts';
import { DownloadReceipt } from '../receipts/download-receipt.tsx';
import { ACTOR_LABELS, CHAIN_LABELS, describeAction } from './audit-labels.ts';

interface AuditDrawerProps {
  organisationId: string;
  /** Undefined: the drawer is closed. */
  entryId: string | undefined;
  /** Entries that are already loaded. */
  listed: readonly AuditEntry[];
  onClose: () => void;
}

export function AuditDrawer({ organisationId, entryId, listed, onClose }: AuditDrawerProps): ReactNode {
  const known = listed.find(({ id }) => id === entryId);
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKeys.auditLog(organisationId), 'one', entryId],
    queryFn: ({ signal }) => api.listAuditLog({ organisationId, entryId: entryId ?? '', limit: 1 }, { signal }),
    enabled: entryId !== undefined && !known,
    staleTime: Number.POSITIVE_INFINITY, // an entry never changes
  });
  const entry = known ?? data?.data[0];
  return (
    <Drawer opened={entryId !== undefined} onClose={onClose} position="right" size={640} title="Entry of the audit log">
      {entry && <EntryBody organisationId={organisationId} entry={entry} />}
      {!entry && error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {!entry && !error && !data && <RowsSkeleton rows={6} />}
      {!entry && data && <Text>The organisation’s log has no such entry.</Text>}
    </Drawer>
  );
}

const copyable = (value: string | null, label: string): ReactNode =>
  value !== null && <CopyId value={value} label={label} />;

/** Offers the receipt of a revocation in the environment that issued it. */
function receiptOf(organisationId: string, { chain, detail: { receiptId } }: AuditEntry): ReactNode {
  if (typeof receiptId !== 'string' || chain === 'console') return null;
  return <DownloadReceipt {...{ organisationId, receiptId }} environment={chain} />;
}

function EntryBody({ organisationId, entry }: { organisationId: string; entry: AuditEntry }): ReactNode {
  const { actor, action, target, detail } = entry;
  const facts: Fact[] = [
    [
      'Time',
      <Fragment key="at">
        {exactTime(entry.at)} (<RelativeTime at={entry.at} />)
      </Fragment>,
    ],
    ['Actor', `${actor.name}, ${ACTOR_LABELS[actor.kind]}`],
    ['Actor id', copyable(actor.id, 'actor id')],
    ['Action', copyable(action, 'action')],
    ['Target', copyable(target, 'target')],
    ['App id', copyable(entry.appId, 'app id')],
    ['In', CHAIN_LABELS[entry.chain]],
    ['Address', copyable(entry.clientAddress, 'address')],
    ['Request', copyable(entry.requestId, 'request id')],
    ['Entry id', copyable(entry.id, 'entry id')],
    ['Position in chain', grouped(entry.sequence)],
    ['Hash', copyable(entry.hash, 'hash')],
    ['Previous hash', copyable(entry.previousHash, 'previous hash')],
    ['Receipt', receiptOf(organisationId, entry)],
  ];
  return (
    <Stack gap="lg">
      <Title order={2} fz={16}>
        {describeAction(action)}
      </Title>
      <FactList facts={facts} />
      {Object.keys(detail).length > 0 && (
        <CodeBlock label="Details" wraps>
          {JSON.stringify(detail, null, 2)}
        </CodeBlock>
      )}
    </Stack>
  );
}
