// Table of messages. A click on a row opens its message; for the keyboard the subject does.
import { Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Message } from '../../kit/api.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { RELATIVE_TIME_WIDTH, RelativeTime } from '../../kit/relative-time.tsx';
import { StateBadge } from '../../kit/state-badge.tsx';
import { MESSAGE_TONES } from './message-labels.ts';
import type { MessagesSearch } from './search.ts';

interface MessageTableProps {
  messages: Message[];
  search: MessagesSearch;
}

export function MessageTable({ messages, search }: MessageTableProps): ReactNode {
  const navigate = useNavigate();
  const toMessage = (id: string) =>
    ({ to: '/operator/messages', search: { ...search, message: id }, resetScroll: false }) as const;
  const columns: Column<Message>[] = [
    { head: 'State', w: 124, cell: ({ state }) => <StateBadge tone={MESSAGE_TONES[state]}>{state}</StateBadge> },
    {
      head: 'Subject',
      isMain: true,
      cell: ({ id, subject }) => (
        <AnchorLink
          {...toMessage(id)}
          lineClamp={2}
          c="var(--mantine-color-text)"
          title={subject}
          // the row would open the message a second time
          onClick={(event) => event.stopPropagation()}
        >
          {subject}
        </AnchorLink>
      ),
    },
    {
      head: 'To',
      from: 'sm',
      fold: ({ to }) => (
        <Text inherit truncate title={to}>
          {to}
        </Text>
      ),
      cell: ({ to }) => (
        <Text truncate title={to}>
          {to}
        </Text>
      ),
    },
    { head: 'Attempts', w: 80, align: 'right', from: 'md', cell: ({ attempts }) => attempts },
    { head: 'Queued', w: RELATIVE_TIME_WIDTH, from: 'sm', cell: ({ queuedAt }) => <RelativeTime at={queuedAt} /> },
  ];
  return (
    <DataTable
      label="Outbox"
      isDense
      columns={columns}
      rows={messages}
      rowKey={({ id }) => id}
      onOpen={({ id }) => void navigate(toMessage(id))}
      isOpen={({ id }) => search.message === id}
    />
  );
}
