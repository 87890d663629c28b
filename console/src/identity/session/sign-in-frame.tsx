// Layout of the pages that need no session.
import { Anchor, Box, Center, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Panel } from '../../kit/panel.tsx';
import { ColorSchemeToggle } from '../../shell/frame/color-scheme-toggle.tsx';
import { Wordmark } from '../../shell/frame/wordmark.tsx';

export function SignInFrame({ children }: { children: ReactNode }): ReactNode {
  return (
    <Box mih="100dvh" p="md" style={{ display: 'grid', gridTemplateRows: 'auto 1fr auto' }}>
      <Group component="header" justify="flex-end">
        <ColorSchemeToggle />
      </Group>
      <Center component="main">
        <Stack w="100%" maw={400} gap="lg">
          <Wordmark size="lg" />
          <Panel p="lg">
            <Stack>{children}</Stack>
          </Panel>
        </Stack>
      </Center>
      <Text component="footer" c="dimmed" fz="xs" ta="center">
        Developer Console: keys, installations, webhooks and request records.{' '}
        <Anchor href="/docs/" inherit underline="always">
          Documentation
        </Anchor>
      </Text>
    </Box>
  );
}
