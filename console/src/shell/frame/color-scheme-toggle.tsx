// Switches between light and dark. The browser remembers the choice.
import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { hint } from '../../kit/hints.tsx';

export function ColorSchemeToggle(): ReactNode {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark' ? 'light' : 'dark';
  const label = `Switch to the ${other} theme`;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      {...hint(label)}
      onClick={() => setColorScheme(other)}
    >
      {other === 'light' ? <IconSun size={18} /> : <IconMoon size={18} />}
    </ActionIcon>
  );
}
