// Shows who read a notice or a decision and when, or the button that marks it as read.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Role } from '../../kit/api.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';

interface ReadStateProps {
  title: string;
  /** Null for unread. */
  readAt: string | null;
  readBy: string | null;
  role: Role | undefined;
  isMarking: boolean;
  onRead: () => void;
}

export function ReadState({ title, readAt, readBy, role, isMarking, onRead }: ReadStateProps): ReactNode {
  if (readAt !== null) {
    return (
      <Text c="dimmed" fz="xs" style={{ overflowWrap: 'anywhere' }}>
        <RelativeTime at={readAt} />
        <br />
        {readBy}
      </Text>
    );
  }
  return (
    <GuardedButton
      role={role}
      action="notices.change"
      variant="default"
      size="xs"
      loading={isMarking}
      aria-label={`Mark as read: ${title}`}
      onClick={onRead}
    >
      Mark as read
    </GuardedButton>
  );
}
