// The third step: the call appears while one looks.
import { Group, Loader, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { StatusText } from '../../inspector/requests/status-text.tsx';
import { AnchorLink, ButtonLink } from '../../kit/links.tsx';
import { shorten } from '../../kit/shorten.ts';
import { formatMs } from '../../kit/time.ts';
import { When } from '../../kit/when.tsx';
import { Step, type StepProps } from './step.tsx';

const SHOWN = 4;

export function LiveStep({ scope, progress }: StepProps): ReactNode {
  return (
    <Step
      number={3}
      title="See it arrive"
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
  return (
    <>
      <Table aria-label="Latest requests" layout="fixed" verticalSpacing={6}>
        <Table.Tbody>
          {progress.requests.slice(0, SHOWN).map((one) => (
            <Table.Tr key={one.id}>
              <Table.Td w={70}>
                <StatusText status={one.status} />
              </Table.Td>
              <Table.Td>
                <AnchorLink
                  to={to}
                  params={scope}
                  search={{ request: one.id }}
                  ff="monospace"
                  fz={13}
                  display="block"
                  style={{ overflowWrap: 'anywhere' }}
                >
                  {one.method} {shorten(one.path)}
                </AnchorLink>
              </Table.Td>
              <Table.Td w={90} ta="right" visibleFrom="sm">
                {formatMs(one.durationMs)}
              </Table.Td>
              <Table.Td w={130} ta="right" visibleFrom="sm">
                <When at={one.at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <ButtonLink to={to} params={scope} search={{}} variant="default" w="fit-content">
        Open the Request Inspector
      </ButtonLink>
    </>
  );
}
