// Health of an endpoint: success rate, start of continuous failures, sent warnings, and the time at which it is
// disabled.
import { Alert, Group, List, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, defined, type Endpoint, type Notice } from '../../kit/api.ts';
import notes from '../../kit/notes.module.css';
import { grouped } from '../../kit/number.ts';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { exactTime } from '../../kit/time.ts';
import type { EndpointContext } from './endpoint-frame.tsx';
import { KeyLine } from './endpoint-state.tsx';
import { DAYS_UNTIL_DISABLED, disabledFrom, formatRate } from './health-labels.ts';

export function EndpointHealth({ scope, endpoint }: EndpointContext): ReactNode {
  const { health } = endpoint;
  const isFailing = health.failingSince !== null;
  return (
    <Panel p="md" role="region" aria-label="Health">
      <Stack gap="sm">
        <SectionHead title="Health" order={3} action={<KeyLine endpoint={endpoint} />} />
        {isFailing && endpoint.state === 'enabled' && <FailingNote scope={scope} endpoint={endpoint} />}
        <Stack gap={6}>
          <Text fw={550}>{formatRate(health)}</Text>
          <Progress
            value={(health.successRate ?? 0) * 100}
            color={isFailing ? 'red.8' : 'teal.9'}
            aria-label="Success rate of the last attempts"
          />
        </Stack>
        <SimpleGrid cols={{ base: 2, sm: 4 }} verticalSpacing="sm">
          <Figure label="Last success">{health.lastSuccessAt && <RelativeTime at={health.lastSuccessAt} />}</Figure>
          <Figure label="Last failure">{health.lastFailureAt && <RelativeTime at={health.lastFailureAt} />}</Figure>
          <Figure label="Failing since">{health.failingSince && <RelativeTime at={health.failingSince} />}</Figure>
          <Figure label="Consecutive failures">{grouped(health.consecutiveFailures)}</Figure>
        </SimpleGrid>
      </Stack>
    </Panel>
  );
}

/** Renders nothing for an enabled endpoint. */
export function DisabledNote({ endpoint }: Pick<EndpointContext, 'endpoint'>): ReactNode {
  return (
    endpoint.disabledReason !== null && (
      <Alert className={notes.warning ?? ''} icon={<IconAlertTriangle aria-hidden />} py={8}>
        <Text inherit>Disabled: {endpoint.disabledReason}</Text>
        <Text inherit>Nothing is sent, and later events are recorded as skipped.</Text>
      </Alert>
    )
  );
}

function Figure({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <Stack gap={0}>
      <Text c="dimmed" fz="xs">
        {label}
      </Text>
      <Text>{children ?? 'never'}</Text>
    </Stack>
  );
}

function FailingNote({ scope, endpoint }: Omit<EndpointContext, 'role'>): ReactNode {
  const at = disabledFrom(endpoint.health);
  const warnings = useWarnings(scope.organisationId, endpoint);
  if (at === undefined) return null;
  return (
    <Alert className={notes.bad ?? ''} icon={<IconAlertTriangle aria-hidden />} title="Every attempt fails">
      <Stack gap="xs">
        <Text>
          After {DAYS_UNTIL_DISABLED} days of continuous failures the endpoint is disabled: at the earliest{' '}
          <RelativeTime at={at} />, {exactTime(at)}. One success resets the count. The deliveries show the receiver’s
          responses.
        </Text>
        {warnings.length > 0 && (
          <List size="sm">
            {warnings.map((one) => (
              <List.Item key={one.id}>
                <Group gap={4} component="span">
                  Your organisation was notified <RelativeTime at={one.createdAt} />, after{' '}
                  {describeDays(one.daysFailing)}.
                </Group>
              </List.Item>
            ))}
          </List>
        )}
        {warnings.length === 0 && <Text>Your organisation is notified after one day and after three.</Text>}
      </Stack>
    </Alert>
  );
}

const describeDays = (days: number | null): string => (days === 1 ? 'a day' : `${days} days`);

/** Returns the notices of the organisation about the current run of failures. */
function useWarnings(organisationId: string, { id, health: { failingSince } }: Endpoint): Notice[] {
  const notices = useQuery({
    queryKey: [...queryKeys.notices(organisationId), 'of failures', id, failingSince],
    queryFn: ({ signal }) => readWarnings(organisationId, id, failingSince ?? '', signal),
    staleTime: 60_000,
  });
  return notices.data ?? [];
}

/** Reads the notices back to the beginning of the failures: other notices can fill several pages meanwhile. */
async function readWarnings(
  organisationId: string,
  endpointId: string,
  failingSince: string,
  signal: AbortSignal,
): Promise<Notice[]> {
  const warnings: Notice[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.listNotices({ organisationId, limit: 100, ...defined({ cursor }) }, { signal });
    const ofThisRun = page.data.filter((one) => one.createdAt >= failingSince);
    warnings.push(...ofThisRun.filter((one) => one.kind === 'endpoint_failing' && one.endpointId === endpointId));
    const hasFirst = warnings.some((one) => one.daysFailing === 1);
    const isComplete = hasFirst || ofThisRun.length < page.data.length;
    cursor = isComplete ? undefined : (page.nextCursor ?? undefined);
  } while (cursor !== undefined);
  return warnings;
}
