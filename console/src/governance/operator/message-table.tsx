// The messages, one a row; a row opens its message, and with the keyboard its subject does.
import { Table, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from '../../inspector/requests/requests.module.css';
import type { Message } from '../../kit/api.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { StateBadge } from '../../kit/state-badge.tsx';
import { WHEN_WIDTH, When } from '../../kit/when.tsx';
import { MESSAGE_TONES } from './message-words.ts';
import type { MessagesSearch } from './search.ts';

interface MessageTableProps {
  messages: Message[];
  search: MessagesSearch;
}

export function MessageTable({ messages, search }: MessageTableProps): ReactNode {
  return (
    <Table aria-label="Outbox" layout="fixed" className={classes.table ?? ''}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col" w={124}>
            State
          </Table.Th>
          <Table.Th scope="col">Subject</Table.Th>
          <Table.Th scope="col" visibleFrom="sm">
            To
          </Table.Th>
          <Table.Th scope="col" w={80} ta="right" visibleFrom="md">
            Tries
          </Table.Th>
          <Table.Th scope="col" w={WHEN_WIDTH} visibleFrom="sm">
            Queued
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {messages.map((message) => (
          <MessageRow key={message.id} message={message} search={search} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function MessageRow({ message, search }: { message: Message; search: MessagesSearch }): ReactNode {
  const { id, to, subject, state, attempts, queuedAt } = message;
  const navigate = useNavigate();
  const way = { to: '/operator/messages', search: { ...search, message: id }, resetScroll: false } as const;
  return (
    <Table.Tr
      className={classes.row ?? ''}
      data-open={search.message === id || undefined}
      onClick={() => void navigate(way)}
    >
      <Table.Td>
        <StateBadge tone={MESSAGE_TONES[state]}>{state}</StateBadge>
      </Table.Td>
      <Table.Td>
        <AnchorLink
          {...way}
          lineClamp={2}
          c="var(--mantine-color-text)"
          title={subject}
          // the row would open it a second time
          onClick={(event) => event.stopPropagation()}
        >
          {subject}
        </AnchorLink>
        <Text hiddenFrom="sm" c="dimmed" fz="xs" truncate title={to}>
          {to}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text truncate title={to}>
          {to}
        </Text>
      </Table.Td>
      <Table.Td ta="right" visibleFrom="md">
        {attempts}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <When at={queuedAt} />
      </Table.Td>
    </Table.Tr>
  );
}
