// Link to the guide of the current page, if it has one: in the header, and on a phone in the navigation drawer.
import { ActionIcon, NavLink } from '@mantine/core';
import { IconBook } from '@tabler/icons-react';
import { useMatches } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { GUIDES, guideAddress } from '../../kit/guides.ts';
import { hint } from '../../kit/hints.tsx';

function usePageGuide() {
  const address = useMatches({ select: (matches) => matches.at(-1)?.fullPath });
  const guide = GUIDES[address ?? ''];
  if (!guide) return undefined;
  const [path, title] = guide;
  return { label: `Guide: ${title}`, link: { href: guideAddress(path), target: '_blank', rel: 'noreferrer' } };
}

export function PageGuide(): ReactNode {
  const guide = usePageGuide();
  if (!guide) return null;
  const { label, link } = guide;
  return (
    <ActionIcon
      component="a"
      {...link}
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

export function PageGuideEntry({ onGo }: { onGo: () => void }): ReactNode {
  const guide = usePageGuide();
  if (!guide) return null;
  return (
    <NavLink
      component="a"
      {...guide.link}
      label={guide.label}
      leftSection={<IconBook size={16} aria-hidden />}
      onClick={onGo}
    />
  );
}
