// The outbox: messages to people, without their texts.
import { SegmentedControl, Stack } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyList, LoadMore, RowsSkeleton } from '../../kit/list-states.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useTitle } from '../../kit/use-title.ts';
import { MessageDrawer } from './message-drawer.tsx';
import { MessageTable } from './message-table.tsx';
import { toMessagesSearch } from './search.ts';
import { useMessages } from './use-operator.ts';

const route = getRouteApi('/shell/operator/messages');

const CHOICES = [
  { value: 'all', label: 'All' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'sent', label: 'Sent' },
  { value: 'failed', label: 'Failed' },
];

export function MessagesPage(): ReactNode {
  useTitle('Outbox', 'Operator');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const messages = useMessages(search.state);
  const filter = (
    <SegmentedControl
      aria-label="Message state"
      data={CHOICES}
      value={search.state ?? 'all'}
      onChange={(state) => void navigate({ search: toMessagesSearch({ state }), replace: true })}
    />
  );
  return (
    <Stack>
      <SectionHead title="Outbox" action={filter}>
        Messages to people, newest first. If no mail server is configured, messages wait here for a week and you pass
        them on.
      </SectionHead>
      {messages.error && <ProblemAlert error={messages.error} onRetry={() => void messages.refetch()} />}
      {messages.isPending && <RowsSkeleton rows={6} height={14} />}
      {messages.items?.length === 0 && (
        <EmptyList
          icon={<IconMail aria-hidden />}
          title={search.state === undefined ? 'No messages' : 'No messages in this state'}
        >
          Invitations, sign-up links and password links appear here.
        </EmptyList>
      )}
      {messages.items && messages.items.length > 0 && (
        <Panel>
          <MessageTable messages={messages.items} search={search} />
          <LoadMore {...messages} />
        </Panel>
      )}
      <MessageDrawer
        messageId={search.message}
        listed={messages.items?.find(({ id }) => id === search.message)}
        onClose={() =>
          void navigate({ search: toMessagesSearch({ ...search, message: undefined }), resetScroll: false })
        }
      />
    </Stack>
  );
}
