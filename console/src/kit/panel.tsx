// A surface on the page, and the head of a section: the only two frames of content.
import { type ElementProps, Group, Paper, type PaperProps, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** Id of the page's main landmark. Panels that open above the page still belong to it. */
export const CONTENT_ID = 'content';

type PanelProps = PaperProps & ElementProps<'div', keyof PaperProps>;

export function Panel({ children, ...props }: PanelProps): ReactNode {
  return (
    <Paper withBorder bg="var(--surface)" style={{ borderColor: 'var(--line)', overflow: 'hidden' }} {...props}>
      {children}
    </Paper>
  );
}

interface SectionHeadProps {
  title: string;
  order?: 1 | 2 | 3;
  children?: ReactNode;
  action?: ReactNode;
}

export function SectionHead({ title, order = 2, children, action }: SectionHeadProps): ReactNode {
  return (
    <Group justify="space-between" align="flex-end" gap="sm">
      <Stack gap={2} maw={720}>
        <Title order={order} fz={order === 1 ? 22 : 17}>
          {title}
        </Title>
        {children && <Text c="dimmed">{children}</Text>}
      </Stack>
      {action}
    </Group>
  );
}
