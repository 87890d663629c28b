// Shows a state by colour, icon and text, never by colour alone; and a plain tag for names such as scopes and roles.
import { Badge } from '@mantine/core';
import {
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconClock,
  IconPlayerPause,
  type TablerIcon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './state-badge.module.css';

export type Tone = 'good' | 'bad' | 'warning' | 'waiting' | 'none';

const ICONS: Record<Tone, TablerIcon> = {
  good: IconCircleCheck,
  bad: IconCircleX,
  warning: IconPlayerPause,
  waiting: IconClock,
  none: IconCircleDashed,
};

export function StateBadge({ tone, children }: { tone: Tone; children: string }): ReactNode {
  const Icon = ICONS[tone];
  return (
    <Badge className={classes.badge} data-tone={tone} leftSection={<Icon size={13} aria-hidden />}>
      {children}
    </Badge>
  );
}

interface TagProps {
  children: string;
  isCode?: boolean;
  /** Struck through, because it is unused. */
  isFaint?: boolean;
  'data-hint'?: string | undefined;
}

export function Tag({ children, isCode = false, isFaint = false, ...hint }: TagProps): ReactNode {
  return (
    <Badge
      {...hint}
      {...(isCode && { ff: 'monospace', fw: 500, fz: 11.5 })}
      className={classes.badge}
      data-tone="none"
      data-faint={isFaint || undefined}
    >
      {children}
    </Badge>
  );
}
