// Shows one message. Its text can contain a sign-in link, so it is loaded only on request, and each read is recorded.
import { Button, Drawer, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, type Message } from '../../kit/api.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { CopyId } from '../../kit/copy.tsx';
import { type Fact, FactList } from '../../kit/fact-list.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { StateBadge } from '../../kit/state-badge.tsx';
import { exactTime } from '../../kit/time.ts';
import { MESSAGE_TONES } from './message-labels.ts';

interface MessageDrawerProps {
  messageId: string | undefined;
  /** The message in the list. An address can name a message that the list has not loaded. */
  listed: Message | undefined;
  onClose: () => void;
}

export function MessageDrawer({ messageId, listed, onClose }: MessageDrawerProps): ReactNode {
  return (
    <Drawer opened={messageId !== undefined} onClose={onClose} position="right" size={640} title="Message">
      {/* A new key resets the state: one click reads one text. */}
      {messageId !== undefined && <MessageBody key={messageId} messageId={messageId} listed={listed} />}
    </Drawer>
  );
}

function MessageBody({ messageId, listed }: { messageId: string; listed: Message | undefined }): ReactNode {
  // A mutation, not a query: the text is not cached after the drawer is closed.
  const read = useMutation({ mutationFn: () => api.getMessage({ messageId }), gcTime: 0 });
  const message = listed ?? read.data;
  return (
    <Stack gap="lg">
      {message && (
        <Title order={2} fz={16} style={{ overflowWrap: 'anywhere' }}>
          {message.subject}
        </Title>
      )}
      <MessageFacts messageId={messageId} message={message} />
      {read.error && <ProblemAlert error={read.error} />}
      {read.data ? (
        <CodeBlock label="Text" wraps maxHeight={480}>
          {read.data.text}
        </CodeBlock>
      ) : (
        <ReadText state={message?.state} isPending={read.isPending} onRead={() => read.mutate()} />
      )}
    </Stack>
  );
}

function MessageFacts({ messageId, message }: { messageId: string; message: Message | undefined }): ReactNode {
  const facts: Fact[] = [
    ['To', message?.to],
    ['State', message && <StateBadge tone={MESSAGE_TONES[message.state]}>{message.state}</StateBadge>],
    ['Queued', message && exactTime(message.queuedAt)],
    ['Ended', message?.endedAt && exactTime(message.endedAt)],
    ['Attempts', message && String(message.attempts)],
    ['Last error', message?.lastError],
    ['Message id', <CopyId key="id" value={messageId} label="message id" />],
  ];
  return <FactList facts={facts} />;
}

interface ReadTextProps {
  state: Message['state'] | undefined;
  isPending: boolean;
  onRead: () => void;
}

function ReadText({ state, isPending, onRead }: ReadTextProps): ReactNode {
  if (state === 'sent' || state === 'failed') {
    return <Text c="dimmed">The text was erased when the message was {state === 'sent' ? 'sent' : 'given up'}.</Text>;
  }
  return (
    <Stack gap="xs" align="flex-start">
      <Text>
        A link in the text is as sensitive as a password: give it only to its recipient. The log records that you read
        it, with your address.
      </Text>
      <Button variant="default" loading={isPending} onClick={onRead}>
        Read the text and record it
      </Button>
    </Stack>
  );
}
