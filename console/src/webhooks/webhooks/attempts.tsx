// Timeline of a delivery's attempts, newest first. Earlier attempts are folded. Responses of receivers are shown as text and never as markup.
import { Stack, Text, Timeline, Title } from '@mantine/core';
import { IconCheck, IconClock, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { AppScope, Attempt, DeliveryDetail } from '../../kit/api.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { Fold } from '../../kit/fold.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { formatMs } from '../../kit/time.ts';
import { useKeys } from '../../tenancy/keys/use-keys.ts';
import { describeOutcome, headerLines, isGood } from './delivery-labels.ts';

export function Attempts({ scope, delivery }: { scope: AppScope; delivery: DeliveryDetail }): ReactNode {
  const { attempts, nextAttemptAt } = delivery;
  return (
    <Stack gap="sm">
      <Title order={3} fz={14.5}>
        Attempts
      </Title>
      {attempts.length === 0 && nextAttemptAt === null && <Text c="dimmed">No attempt was made.</Text>}
      <Timeline bulletSize={22} lineWidth={2} color="teal.9" reverseActive active={attempts.length - 1}>
        {nextAttemptAt !== null && (
          <Timeline.Item
            bullet={<IconClock size={13} aria-hidden />}
            title={
              <Text fw={550}>
                Attempt {attempts.length + 1} <RelativeTime at={nextAttemptAt} />
              </Text>
            }
          />
        )}
        {attempts.toReversed().map((one) => (
          <Timeline.Item
            key={one.number}
            color={isGood(one) ? 'teal.9' : 'red.8'}
            bullet={isGood(one) ? <IconCheck size={13} aria-hidden /> : <IconX size={13} aria-hidden />}
          >
            <Fold summary={<AttemptTitle attempt={one} />} isOpen={one.number === attempts.length}>
              <AttemptBody scope={scope} attempt={one} currentUrl={delivery.endpointUrl} />
            </Fold>
          </Timeline.Item>
        ))}
      </Timeline>
    </Stack>
  );
}

function AttemptTitle({ attempt }: { attempt: Attempt }): ReactNode {
  return (
    <>
      <Text span fw={550} mr="xs">
        Attempt {attempt.number}: {describeOutcome(attempt)}
      </Text>
      <Text span c="dimmed">
        <RelativeTime at={attempt.startedAt} />, took {formatMs(attempt.durationMs)}
      </Text>
    </>
  );
}

interface AttemptBodyProps {
  scope: AppScope;
  attempt: Attempt;
  /** URL of the endpoint; null if the endpoint was deleted. */
  currentUrl: string | null;
}

function CalledUrl({ attempt, currentUrl }: Omit<AttemptBodyProps, 'scope'>): ReactNode {
  if (attempt.url !== null) {
    return (
      <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        Called {attempt.url}
      </Text>
    );
  }
  return (
    <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      The URL was not recorded.{currentUrl !== null && ` The endpoint’s current URL: ${currentUrl}`}
    </Text>
  );
}

function AttemptBody({ scope, attempt, currentUrl }: AttemptBodyProps): ReactNode {
  const headers = headerLines(attempt.responseHeaders ?? {});
  return (
    <Stack gap="xs" mt={4}>
      <CalledUrl attempt={attempt} currentUrl={currentUrl} />
      {attempt.keyId !== null && <UsedKey scope={scope} keyId={attempt.keyId} />}
      {attempt.detail !== null && <Text style={{ overflowWrap: 'anywhere' }}>{attempt.detail}</Text>}
      {headers !== '' && (
        <CodeBlock label={`Response ${attempt.number}: headers`} maxHeight={110} wraps>
          {headers}
        </CodeBlock>
      )}
      {attempt.responseBody !== null && attempt.responseBody !== '' && (
        <CodeBlock
          label={attempt.isBodyTruncated ? `Response ${attempt.number} (beginning)` : `Response ${attempt.number}`}
          maxHeight={160}
          wraps
        >
          {attempt.responseBody}
        </CodeBlock>
      )}
    </Stack>
  );
}

function UsedKey({ scope, keyId }: { scope: AppScope; keyId: string }): ReactNode {
  const name = useKeys(scope).items?.find(({ id }) => id === keyId)?.name;
  return (
    <Text c="dimmed">
      Through the key{' '}
      <AnchorLink
        to="/in/$organisationId/apps/$appId/keys"
        params={scope}
        search={{ key: keyId }}
        inherit
        underline="always"
      >
        {name === undefined ? keyId : `“${name}”`}
      </AnchorLink>
    </Text>
  );
}
