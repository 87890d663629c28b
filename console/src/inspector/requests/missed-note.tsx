// Reports requests that the tail omitted, and links to the list that contains them.
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { MissedRequests } from '../../kit/api.ts';
import { ButtonLink } from '../../kit/links.tsx';
import notes from '../../kit/notes.module.css';
import { grouped } from '../../kit/number.ts';
import { exactTime } from '../../kit/time.ts';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { type RequestsSearch, toRequestsSearch } from './search.ts';

interface MissedNoteProps {
  missed: MissedRequests;
  search: RequestsSearch;
  onDismiss: () => void;
}

export function MissedNote({ missed, search, onDismiss }: MissedNoteProps): ReactNode {
  const scope = useAppScope();
  const { count, since, until } = missed;
  const sentence =
    count === null
      ? 'The live list was interrupted for a long time: requests in between are not shown here'
      : `${grouped(count)} ${count === 1 ? 'request' : 'requests'} arrived too fast to be shown here`;
  return (
    <Alert className={notes.warning ?? ''} icon={<IconAlertTriangle aria-hidden />} py={8} role="status">
      <Group justify="space-between" gap="xs">
        <Text inherit>
          {sentence}, from {exactTime(since)} on.
        </Text>
        <Group gap="xs">
          <ButtonLink
            to="/in/$organisationId/apps/$appId/requests"
            params={scope}
            search={toRequestsSearch({ ...search, last: undefined, since, until })}
            variant="default"
            size="xs"
          >
            Show them
          </ButtonLink>
          <Button variant="default" size="xs" onClick={onDismiss}>
            Dismiss
          </Button>
        </Group>
      </Group>
    </Alert>
  );
}
