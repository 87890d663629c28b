// The announced rule about the scopes of events, for an app that does not have it yet: the date, the events that the
// rule would withhold, and the early switch. An app with the rule has no such section.
import { Anchor, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { AppScope, EventScopes } from '../../kit/api.ts';
import { EmptyList } from '../../kit/list-states.tsx';
import { counted, grouped } from '../../kit/number.ts';
import { SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { relativeTime, useNowMs } from '../../kit/time.ts';
import { EnforceEventScopes } from './enforce-event-scopes.tsx';
import { useEventScopes } from './use-event-scopes.ts';
import { MissingGrants, WithheldEvents } from './withheld.tsx';

export function EventScopesSection({ scope }: { scope: AppScope }): ReactNode {
  const { data, error, refetch } = useEventScopes(scope);
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (data?.state !== 'announced') return null;
  return (
    <Stack component="section" aria-label="Scopes of events">
      <SectionHead title="Scopes of events" action={<EnforceEventScopes scope={scope} rule={data} />}>
        <Announcement rule={data} />
      </SectionHead>
      {data.grants.length === 0 ? (
        <EmptyList icon={<IconCircleCheck aria-hidden />} title="The rule would withhold no event">
          {boundSentence(data)} You can enforce the rule now.
        </EmptyList>
      ) : (
        <>
          <Text>
            <strong>
              The rule would withhold {counted(data.events, 'event')} and{' '}
              {counted(data.deliveries, 'delivery', 'deliveries')}.
            </strong>{' '}
            {boundSentence(data)} To keep such events, get the missing scopes authorised before the date.
          </Text>
          <MissingGrants grants={data.grants} />
          <WithheldEvents scope={scope} rule={data} />
        </>
      )}
    </Stack>
  );
}

function Announcement({ rule: { enforcedFrom, pageUrl } }: { rule: EventScopes }): ReactNode {
  const nowMs = useNowMs();
  return (
    <>
      From <time dateTime={enforcedFrom}>{enforcedFrom}</time> ({relativeTime(enforcedFrom, nowMs)}), an event with a
      resource also requires the scope of the resource. Until then, <code>events:read</code> alone is enough for this
      app.{' '}
      <Anchor href={pageUrl} underline="always">
        Read the announcement
      </Anchor>
    </>
  );
}

const boundSentence = ({ isComplete, countLimit }: EventScopes): string =>
  isComplete
    ? 'All events and deliveries of the app are counted.'
    : `Only the newest ${grouped(countLimit)} events and the newest ${grouped(countLimit)} deliveries are counted.`;
