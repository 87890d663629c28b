// Third step: the call appears live.
import { Group, Loader, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { StatusText } from '../../inspector/requests/status-text.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { AnchorLink, ButtonLink } from '../../kit/links.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { shorten } from '../../kit/shorten.ts';
import { formatMs } from '../../kit/time.ts';
import { Step, type StepProps } from './step.tsx';

const SHOWN = 4;

export function LiveStep({ scope, progress }: StepProps): ReactNode {
  return (
    <Step
      number={3}
      title="See the call"
      isDone={progress.hasCall}
      description="Every call, accepted or refused, with its status, duration and request id."
    >
      {progress.hasCall ? (
        <LatestRequests scope={scope} progress={progress} />
      ) : (
        <Group gap="sm" mih={44} role="status">
          <Loader size="xs" type="dots" aria-hidden />
          <Text>Waiting for the first call…</Text>
        </Group>
      )}
    </Step>
  );
}

function LatestRequests({ scope, progress }: StepProps): ReactNode {
  const to = '/in/$organisationId/apps/$appId/requests';
  const columns: Column<StepProps['progress']['requests'][number]>[] = [
    { head: 'Status', w: 70, cell: ({ status }) => <StatusText status={status} /> },
    {
      head: 'Request',
      cell: ({ id, method, path }) => (
        <AnchorLink to={to} params={scope} search={{ request: id }} ff="monospace" fz={13} display="block">
          {method} {shorten(path)}
        </AnchorLink>
      ),
      wraps: true,
    },
    { head: 'Duration', w: 90, align: 'right', from: 'sm', cell: ({ durationMs }) => formatMs(durationMs) },
    { head: 'Time', w: 130, align: 'right', from: 'sm', cell: ({ at }) => <RelativeTime at={at} /> },
  ];
  return (
    <>
      <DataTable
        label="Latest requests"
        isHeadless
        layout="fixed"
        verticalSpacing={6}
        columns={columns}
        rows={progress.requests.slice(0, SHOWN)}
        rowKey={({ id }) => id}
      />
      <ButtonLink to={to} params={scope} search={{}} variant="default" w="fit-content">
        Open the Request Inspector
      </ButtonLink>
    </>
  );
}
