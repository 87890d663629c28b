// Says so where the list is not whole: requests that were answered and whose records could not be kept.
import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type AppScope, api } from '../../kit/api.ts';
import notes from '../../kit/notes.module.css';
import { queryKeys } from '../../kit/query-keys.ts';
import { exactTime } from '../../kit/time.ts';

const LOOK_EVERY_MS = 30_000;

export function RecordGaps({ scope }: { scope: AppScope }): ReactNode {
  const { data } = useQuery({
    queryKey: [...queryKeys.requests(scope), 'gaps'],
    queryFn: ({ signal }) => api.listRecordGaps(scope, { signal }),
    refetchInterval: LOOK_EVERY_MS,
  });
  const [latest] = data?.data ?? [];
  if (!data || !latest) return null;
  const lost = data.lost.toLocaleString('en');
  return (
    <Alert className={notes.warning ?? ''} icon={<IconAlertTriangle aria-hidden />} py={8}>
      {lost} {data.lost === 1 ? 'request has' : 'requests have'} no record, because the database did not take it in
      time; the last at {exactTime(latest.minute)}. They were answered as ever.
    </Alert>
  );
}
