// Link to the demo receiver, if there is one.
import { Anchor } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useCurrentEnvironment } from '../../kit/environments.ts';

export function ReceiverLink(): ReactNode {
  const receiverUrl = useCurrentEnvironment()?.receiverUrl;
  if (!receiverUrl) return null;
  return (
    <Anchor href={receiverUrl} target="_blank" rel="noreferrer">
      Open demo receiver <IconExternalLink size={14} aria-hidden style={{ verticalAlign: -2 }} />
    </Anchor>
  );
}
