// The answer of a member to a deprecation, and the buttons that change it.
import { Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import { type AppScope, api, type DeprecatedUse } from '../../kit/api.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';

const SNOOZED_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Returns the day 30 days ahead, or the day before the end; undefined if no day is left. */
function snoozeDay(ends: string, nowMs: number): string | undefined {
  const day = Math.min(nowMs + SNOOZED_DAYS * DAY_MS, Date.parse(ends) - DAY_MS);
  return dayOf(day) > dayOf(nowMs) ? dayOf(day) : undefined;
}

interface DeprecationAnswerProps {
  scope: AppScope;
  use: DeprecatedUse;
}

export function DeprecationAnswer({ scope, use: { id, title, ends, answer } }: DeprecationAnswerProps): ReactNode {
  const role = useMembership(scope.organisationId)?.role;
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: Pick<typeof answer, 'status' | 'snoozedUntil'>) =>
      api.answerDeprecation({ ...scope, deprecationId: id, body }),
    onSettled: () => queries.invalidateQueries({ queryKey: [...queryKeys.requests(scope), 'deprecated'] }),
  });
  const button = (label: string, body: Parameters<typeof mutate>[0]): ReactNode => (
    <GuardedButton
      role={role}
      action="notices.change"
      variant="default"
      size="xs"
      loading={isPending}
      aria-label={`${label}: ${title}`}
      onClick={() => mutate(body)}
    >
      {label}
    </GuardedButton>
  );
  const snoozedUntil = snoozeDay(ends, Date.now());
  return (
    <Stack gap={4}>
      {answer.status === 'acknowledged' && <Text fz="xs">Acknowledged by {answer.answeredBy}</Text>}
      {answer.status === 'snoozed' && <Text fz="xs">Snoozed until {answer.snoozedUntil}</Text>}
      <Group gap={6}>
        {answer.status !== 'acknowledged' && button('Acknowledge', { status: 'acknowledged', snoozedUntil: null })}
        {answer.status === 'unanswered' && snoozedUntil && button('Snooze', { status: 'snoozed', snoozedUntil })}
        {answer.status !== 'unanswered' && button('Notify again', { status: 'unanswered', snoozedUntil: null })}
      </Group>
      {error && <ProblemAlert error={error} />}
    </Stack>
  );
}
