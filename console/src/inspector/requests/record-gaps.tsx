// Reports requests that were answered but whose records were lost.
import { Alert, Button, Collapse, Group, List, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type AppScope, api } from '../../kit/api.ts';
import { AnchorLink } from '../../kit/links.tsx';
import notes from '../../kit/notes.module.css';
import { grouped } from '../../kit/number.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { exactTime } from '../../kit/time.ts';
import { type RequestsSearch, toRequestsSearch } from './search.ts';

const LOOK_EVERY_MS = 30_000;
const MINUTE_MS = 60_000;

export function RecordGaps({ scope, search }: { scope: AppScope; search: RequestsSearch }): ReactNode {
  const [isOpen, { toggle }] = useDisclosure(false);
  const { data } = useQuery({
    queryKey: [...queryKeys.requests(scope), 'gaps'],
    queryFn: ({ signal }) => api.listRecordGaps(scope, { signal }),
    refetchInterval: LOOK_EVERY_MS,
  });
  const [latest] = data?.data ?? [];
  if (!data || !latest) return null;
  const lost = grouped(data.lost);
  return (
    <Alert className={notes.warning ?? ''} icon={<IconAlertTriangle aria-hidden />} py={8}>
      <Group justify="space-between" gap="xs">
        <Text inherit>
          {data.lost === 1 ? '1 request has' : `${lost} requests have`} no record, because the database did not store{' '}
          {data.lost === 1 ? 'it' : 'them'} in time; {data.lost === 1 ? 'that was' : 'the last'} at{' '}
          {exactTime(latest.minute)}. {data.lost === 1 ? 'It was' : 'They were'} answered normally.
        </Text>
        <Button variant="default" size="xs" aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? 'Hide the minutes' : 'Show the minutes'}
        </Button>
      </Group>
      <Collapse expanded={isOpen}>
        <List size="sm" mt="xs">
          {data.data.map(({ minute, lost: count }) => (
            <List.Item key={minute}>
              <AnchorLink
                to="/in/$organisationId/apps/$appId/requests"
                params={scope}
                search={toRequestsSearch({ ...search, last: undefined, since: minute, until: endOf(minute) })}
                c="inherit"
                underline="always"
              >
                {exactTime(minute)}
              </AnchorLink>
              : {grouped(count)} missing
            </List.Item>
          ))}
        </List>
      </Collapse>
    </Alert>
  );
}

const endOf = (minute: string): string => new Date(Date.parse(minute) + MINUTE_MS).toISOString();
