// Summary of an app: requests and durations of the last day, and the keys that expire next.
import { Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { RequestHistogram } from '../../inspector/requests/histogram.tsx';
import type { AppScope } from '../../kit/api.ts';
import { ButtonLink } from '../../kit/links.tsx';
import { SectionHead } from '../../kit/panel.tsx';
import { ExpiringKeys } from '../keys/expiring-keys.tsx';
import { useKeys } from '../keys/use-keys.ts';

const REQUESTS = '/in/$organisationId/apps/$appId/requests';
const NO_FILTERS = {};

export function RecentActivity({ scope }: { scope: AppScope }): ReactNode {
  const navigate = useNavigate();
  const keys = useKeys(scope);
  return (
    <Stack>
      <RecentActivityHead scope={scope} />
      <RequestHistogram
        scope={scope}
        search={NO_FILTERS}
        filters={NO_FILTERS}
        isLive
        onNarrow={(time) => void navigate({ to: REQUESTS, params: scope, search: time })}
      />
      <ExpiringKeys scope={scope} keys={keys.items ?? []} hasMore={keys.hasNextPage} />
    </Stack>
  );
}

export function RecentActivityHead({ scope }: { scope: AppScope }): ReactNode {
  return (
    <SectionHead
      title="The last 24 hours"
      action={
        <ButtonLink to={REQUESTS} params={scope} search={{}} variant="default" size="xs">
          All requests
        </ButtonLink>
      }
    >
      Every call with a key of this app. Select a bar to see its requests.
    </SectionHead>
  );
}
