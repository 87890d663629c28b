// Builds the `Sandbox-Simulate` header of a single call, with its command.
import { Grid, Skeleton, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AppScope } from '../../kit/api.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { curl, KEY_VARIABLE } from '../../kit/curl.ts';
import { useCurrentEnvironment } from '../../kit/environments.ts';
import { useFreshKey } from '../../kit/fresh-keys.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { DEFAULT_EFFECT_INPUT, type EffectInput, effectOf, headerOf } from './effect.ts';
import { EffectFields } from './effect-fields.tsx';

export function SingleCall({ scope }: { scope: AppScope }): ReactNode {
  const [input, setWish] = useState(DEFAULT_EFFECT_INPUT);
  return (
    <Stack>
      <SectionHead title="A single call">
        A call with a key can request its own fault in the header Sandbox-Simulate. The caller is authenticated first. A
        problem or a reset writes nothing.
      </SectionHead>
      <Panel p="lg">
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, md: 5 }}>
            <EffectFields value={input} onChange={setWish} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 7 }}>
            <Command scope={scope} wish={input} />
          </Grid.Col>
        </Grid>
      </Panel>
    </Stack>
  );
}

function Command({ scope, wish }: { scope: AppScope; wish: EffectInput }): ReactNode {
  const sandbox = useCurrentEnvironment();
  const fresh = useFreshKey(scope.appId);
  const effect = effectOf(wish);
  if (!effect) return <Text c="dimmed">Enter the length of the delay.</Text>;
  if (!sandbox) return <Skeleton height={130} radius="sm" />;
  const header = headerOf(effect);
  return (
    <Stack gap="xs">
      <CodeBlock label="curl" wraps>
        {curl({
          method: 'GET',
          url: `${sandbox.apiUrl}/v1/me`,
          token: fresh?.token,
          headers: { 'Sandbox-Simulate': header },
        })}
      </CodeBlock>
      <Text c="dimmed" fz="xs">
        {fresh
          ? 'Paste this into a shell. It contains the key that you have just generated.'
          : `Put your key into ${KEY_VARIABLE}, then paste this into a shell.`}{' '}
        The response names the effect in Sandbox-Simulated, and so does its record under{' '}
        <AnchorLink to="/in/$organisationId/apps/$appId/requests" params={scope} fz="xs" underline="always">
          Requests
        </AnchorLink>
        .
      </Text>
    </Stack>
  );
}
