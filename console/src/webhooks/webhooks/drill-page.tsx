// The receiver drill: sends test messages to one endpoint and reports how its receiver handles them.
import { Code, Stack, Text } from '@mantine/core';
import { IconTargetArrow } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Drill } from '../../kit/api.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { EmptyList, RowsSkeleton } from '../../kit/list-states.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { StateBadge } from '../../kit/state-badge.tsx';
import { DRILL_TONES, summariseDrill } from './drill-labels.ts';
import { DrillReport } from './drill-report.tsx';
import { ENDPOINT_PATH, ENDPOINT_ROUTE, type EndpointContext, EndpointFrame } from './endpoint-frame.tsx';
import { useDrills, useStartDrill } from './use-drills.ts';

const route = getRouteApi(`${ENDPOINT_ROUTE}/drill`);

export function DrillPage(): ReactNode {
  const { endpointId } = route.useParams();
  return (
    <EndpointFrame endpointId={endpointId} section="Receiver drill">
      {(context) => <Drills {...context} />}
    </EndpointFrame>
  );
}

function Drills({ scope, endpoint, role }: EndpointContext): ReactNode {
  const { drill: wanted } = route.useSearch();
  const navigate = route.useNavigate();
  const drills = useDrills(scope, endpoint.id);
  const start = useStartDrill(scope, endpoint.id);
  const shown = wanted ?? drills.items?.[0]?.id;
  const isRunning = drills.items?.some((one) => one.status === 'running') ?? false;
  const startButton = (
    <GuardedButton
      role={role}
      action="endpoints.change"
      loading={start.isPending}
      disabled={isRunning}
      onClick={() => start.mutate(undefined, { onSuccess: ({ id }) => void navigate({ search: { drill: id } }) })}
    >
      {isRunning ? 'A drill is running' : 'Start a drill'}
    </GuardedButton>
  );
  return (
    <Stack>
      <SectionHead title="Receiver drill" action={drills.items?.length ? startButton : undefined}>
        Sends valid and invalid test messages to the receiver, and reports which ones it handles. The drill affects
        neither retries nor health of the endpoint.
      </SectionHead>
      {start.error && <ProblemAlert error={start.error} />}
      {drills.error && <ProblemAlert error={drills.error} onRetry={() => void drills.refetch()} />}
      {drills.isPending && <RowsSkeleton rows={6} />}
      {drills.items?.length === 0 && (
        <EmptyList icon={<IconTargetArrow aria-hidden />} title="No drills yet" action={startButton}>
          A drill has twelve steps and takes several seconds. The endpoint must be enabled, with a key that can receive
          events.
        </EmptyList>
      )}
      {shown !== undefined && <DrillReport key={shown} scope={scope} endpoint={endpoint} drillId={shown} />}
      {drills.items && drills.items.length > 0 && (
        <>
          <Text c="dimmed">
            To report its state, the receiver answers a drill’s messages with the header{' '}
            <Code>Slipway-Drill: processed=N, sequence=S</Code>: the number of processed events of the message’s
            subject, and the current sequence of the subject.
          </Text>
          <EarlierDrills scope={scope} endpoint={endpoint} drills={drills.items} shown={shown} />
        </>
      )}
    </Stack>
  );
}

interface EarlierDrillsProps extends Omit<EndpointContext, 'role'> {
  drills: Drill[];
  shown: string | undefined;
}

function EarlierDrills({ scope, endpoint, drills, shown }: EarlierDrillsProps): ReactNode {
  const columns: Column<Drill>[] = [
    {
      head: 'Drill',
      cell: ({ id, createdAt }) => (
        <AnchorLink
          to={`${ENDPOINT_PATH}/drill`}
          params={{ ...scope, endpointId: endpoint.id }}
          search={{ drill: id }}
          aria-current={id === shown}
          {...(id === shown && { fw: 600 })}
        >
          <RelativeTime at={createdAt} />
        </AnchorLink>
      ),
    },
    { head: 'Status', cell: ({ status }) => <StateBadge tone={DRILL_TONES[status]}>{status}</StateBadge> },
    { head: 'Result', from: 'sm', cell: summariseDrill },
    { head: 'Started by', from: 'sm', cell: ({ createdBy }) => createdBy },
  ];
  return (
    <Panel>
      <DataTable label="Drills" columns={columns} rows={drills} rowKey={({ id }) => id} />
    </Panel>
  );
}
