// Shows how a newer schema version would change recent events of the endpoint.
import { Accordion, Group, List, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, type PreviewedEvent } from '../../kit/api.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { RowsSkeleton } from '../../kit/list-states.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { exactTime } from '../../kit/time.ts';
import type { EndpointContext } from './endpoint-frame.tsx';

export function VersionPreview({ scope, endpoint }: EndpointContext): ReactNode {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...queryKeys.endpoints(scope), 'preview', endpoint.id],
    queryFn: ({ signal }) => api.previewSchemaVersion({ ...scope, endpointId: endpoint.id }, { signal }),
    staleTime: 60_000,
  });
  return (
    <Stack gap="sm" role="region" aria-label="Newer schema versions">
      <SectionHead title="Newer schema versions" order={3}>
        How a newer version would change the endpoint’s recent events. Nothing is changed. Select the version of each
        type in the settings.
      </SectionHead>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {isPending && <RowsSkeleton rows={1} />}
      {data?.data.length === 0 && (
        <Panel p="md">
          <Text c="dimmed">No recent event has a newer version.</Text>
        </Panel>
      )}
      {data && data.data.length > 0 && (
        <Panel>
          <Accordion chevronPosition="left" order={4}>
            {data.data.map((one) => (
              <EventPreview key={one.pinned.id} event={one} />
            ))}
          </Accordion>
        </Panel>
      )}
    </Stack>
  );
}

function EventPreview({ event }: { event: PreviewedEvent }): ReactNode {
  const { type, pinned, newer, pinnedVersion, schemaVersion } = event;
  const isAlike = [event.added, event.removed, event.changed].every((pointers) => pointers.length === 0);
  return (
    <Accordion.Item value={pinned.id}>
      <Accordion.Control>
        <Group gap="xs">
          <Text ff="monospace" fz={13}>
            {type}
          </Text>
          <Text>
            version {pinnedVersion} to {schemaVersion}
          </Text>
          <Text c="dimmed">{exactTime(pinned.occurredAt)}</Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="sm">
          {isAlike && <Text>Both versions are equal.</Text>}
          <Pointers title="Only in the newer version" pointers={event.added} />
          <Pointers title="Removed" pointers={event.removed} />
          <Pointers title="Changed value" pointers={event.changed} />
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <CodeBlock label={`Current: version ${pinnedVersion}`}>{JSON.stringify(pinned, null, 2)}</CodeBlock>
            <CodeBlock label={`Preview: version ${schemaVersion}`}>{JSON.stringify(newer, null, 2)}</CodeBlock>
          </SimpleGrid>
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

function Pointers({ title, pointers }: { title: string; pointers: string[] }): ReactNode {
  if (pointers.length === 0) return null;
  return (
    <Stack gap={2}>
      <Text fw={550}>{title}</Text>
      <List size="sm" listStyleType="none">
        {pointers.map((one) => (
          <List.Item key={one}>
            <Text ff="monospace" fz={13} style={{ overflowWrap: 'anywhere' }}>
              {one}
            </Text>
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
