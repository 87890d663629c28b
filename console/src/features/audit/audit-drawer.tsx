// Everything that is kept of one entry, its place in the chain included.
import { Drawer, Stack, Title } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import type { AuditEntry } from '../../kit/api.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { CopyId } from '../../kit/copy.tsx';
import { type Fact, FactList } from '../../kit/fact-list.tsx';
import { exactTime } from '../../kit/time.ts';
import { When } from '../../kit/when.tsx';
import { ACTOR_WORDS, actionWords, CHAIN_WORDS } from './audit-words.ts';

export function AuditDrawer({ entry, onClose }: { entry: AuditEntry | undefined; onClose: () => void }): ReactNode {
  return (
    <Drawer opened={entry !== undefined} onClose={onClose} position="right" size={640} title="Entry of the audit log">
      {entry && <EntryBody entry={entry} />}
    </Drawer>
  );
}

const copyable = (value: string | null, label: string): ReactNode =>
  value !== null && <CopyId value={value} label={label} />;

function EntryBody({ entry }: { entry: AuditEntry }): ReactNode {
  const { actor, action, target, detail } = entry;
  const facts: Fact[] = [
    [
      'When',
      <Fragment key="at">
        {exactTime(entry.at)} (<When at={entry.at} />)
      </Fragment>,
    ],
    ['Who', `${actor.name}, ${ACTOR_WORDS[actor.kind]}`],
    ['Their id', copyable(actor.id, 'actor id')],
    ['Action', copyable(action, 'action')],
    ['To what', copyable(target, 'target')],
    ['App id', copyable(entry.appId, 'app id')],
    ['In', CHAIN_WORDS[entry.chain]],
    ['From', copyable(entry.clientAddress, 'address')],
    ['By request', copyable(entry.requestId, 'request id')],
    ['Entry id', copyable(entry.id, 'entry id')],
    ['Place in chain', entry.sequence.toLocaleString('en')],
    ['Hash', copyable(entry.hash, 'hash')],
    ['Hash before it', copyable(entry.previousHash, 'previous hash')],
  ];
  return (
    <Stack gap="lg">
      <Title order={2} fz={16}>
        {actionWords(action)}
      </Title>
      <FactList facts={facts} />
      {Object.keys(detail).length > 0 && (
        <CodeBlock label="What else is known of it" wraps>
          {JSON.stringify(detail, null, 2)}
        </CodeBlock>
      )}
    </Stack>
  );
}
