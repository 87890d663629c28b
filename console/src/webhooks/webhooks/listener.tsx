// A listener: an endpoint address without a URL, whose deliveries `slipway listen` forwards to a receiver on the
// developer's machine. Only the sandbox has listeners.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { InlineCode } from '../../kit/inline.tsx';

const SCHEME = 'listener:';

export const isListener = (url: string): boolean => url.trim().startsWith(SCHEME);

/** Returns a new address. `slipway listen` finds it by the name before the last hyphen. */
export function createListener(): string {
  // `randomUUID` exists only on pages over https.
  const bytes = [...crypto.getRandomValues(new Uint8Array(3))];
  return `${SCHEME}receiver-${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}-console`;
}

/** Returns the command that receives the deliveries of the endpoint. */
export const listenCommand = (url: string): string =>
  `slipway listen --forward-to http://localhost:3000/hook --name ${url
    .trim()
    .slice(SCHEME.length)
    .replace(/-[^-]*$/, '')}`;

export function ListenerNote({ url }: { url: string }): ReactNode {
  return (
    <Text fz="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      Deliveries wait for <InlineCode>{listenCommand(url)}</InlineCode> on your machine.
    </Text>
  );
}
