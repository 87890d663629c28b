// One step of the first run, with its state.
import { Box, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { AppScope } from '../../kit/api.ts';
import { Panel } from '../../kit/panel.tsx';
import type { Progress } from './use-progress.ts';

export interface StepProps {
  scope: AppScope;
  progress: Progress;
}

interface StepFrameProps {
  number: number;
  title: string;
  isDone: boolean;
  description: string;
  children?: ReactNode;
}

export function Step({ number, title, isDone, description, children }: StepFrameProps): ReactNode {
  return (
    <li>
      <Panel p={{ base: 'sm', sm: 'md' }}>
        <Group align="flex-start" wrap="nowrap" gap="md">
          <ThemeIcon
            radius="xl"
            size={30}
            variant={isDone ? 'filled' : 'default'}
            color="teal.9"
            role="img"
            aria-label={`Step ${number}: ${isDone ? 'done' : 'to do'}`}
          >
            {isDone ? <IconCheck size={17} /> : <Text fw={600}>{number}</Text>}
          </ThemeIcon>
          <Stack gap="sm" miw={0} flex={1}>
            <Box>
              <Title order={3} fz={15.5} lh="30px">
                {title}
              </Title>
              <Text c="dimmed">{description}</Text>
            </Box>
            {children}
          </Stack>
        </Group>
      </Panel>
    </li>
  );
}
