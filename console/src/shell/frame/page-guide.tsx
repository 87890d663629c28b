// Link to the guide of the current page, if it has one.
import { ActionIcon } from '@mantine/core';
import { IconBook } from '@tabler/icons-react';
import { useMatches } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { GUIDES, guideAddress } from '../../kit/guides.ts';
import { hint } from '../../kit/hints.tsx';

export function PageGuide(): ReactNode {
  const address = useMatches({ select: (matches) => matches.at(-1)?.fullPath });
  const guide = GUIDES[address ?? ''];
  if (!guide) return null;
  const [path, title] = guide;
  const label = `Guide: ${title}`;
  return (
    <ActionIcon
      component="a"
      href={guideAddress(path)}
      target="_blank"
      rel="noreferrer"
      variant="subtle"
      color="gray"
      size="lg"
      visibleFrom="sm"
      aria-label={label}
      {...hint(label)}
    >
      <IconBook size={18} />
    </ActionIcon>
  );
}
