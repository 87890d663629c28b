// Warns on every operator page while the upstream API fails, because only operators can fix that.
import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { AnchorLink } from '../../kit/links.tsx';
import notes from '../../kit/notes.module.css';
import { useNowMs } from '../../kit/time.ts';
import { useUpstreamFailures } from './use-operator.ts';

const NOW_MS = 60 * 60_000;

export function UpstreamAlert(): ReactNode {
  const { data = [] } = useUpstreamFailures();
  const nowMs = useNowMs();
  const recent = data.filter(({ lastAt }) => nowMs - Date.parse(lastAt) < NOW_MS);
  if (recent.length === 0) return null;
  const operations = [...new Set(recent.map(({ operationId }) => operationId))];
  return (
    <Alert className={notes.bad ?? ''} icon={<IconAlertTriangle aria-hidden />} role="alert" py={8}>
      <Text inherit style={{ overflowWrap: 'anywhere' }}>
        The upstream API failed in the last hour, in {operations.join(', ')}.{' '}
        <AnchorLink to="/operator/platform" c="inherit" underline="always">
          Show failures
        </AnchorLink>
      </Text>
    </Alert>
  );
}
