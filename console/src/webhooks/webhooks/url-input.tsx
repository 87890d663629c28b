// Input of an endpoint's address.
import { Anchor, Stack, Text, TextInput, type TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCurrentEnvironment } from '../../kit/environments.ts';

// The server permits the demo receiver by its IP address. A name that resolves to this machine is refused like any
// private address.
export function hooksOf(receiverUrl: string): string {
  const url = new URL('/hooks', receiverUrl);
  if (url.hostname === 'localhost') url.hostname = '127.0.0.1';
  return url.href;
}

// Puts descriptions below the inputs, so that inputs in one row stay aligned.
export const BELOW: InputWrapperOrder = ['label', 'input', 'description', 'error'];
type InputWrapperOrder = NonNullable<TextInputProps['inputWrapperOrder']>;

interface UrlInputProps {
  value: string;
  onChange: (url: string) => void;
  error: string | undefined;
}

export function UrlInput({ value, onChange, error }: UrlInputProps): ReactNode {
  const receiverUrl = useCurrentEnvironment()?.receiverUrl;
  return (
    <Stack gap={4}>
      <TextInput
        label="URL"
        inputWrapperOrder={BELOW}
        description="An https address that is reachable from the internet. To permit a receiver on this machine, the operator adds it to SLIPWAY_WEBHOOK_ALLOW_HOSTS, such as 127.0.0.1:4395."
        placeholder="https://bridge.example.org/hooks/slipway"
        type="url"
        data-autofocus
        required
        withAsterisk={false}
        maxLength={2048}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {receiverUrl && (
        <Text fz="xs" c="dimmed">
          <Anchor component="button" type="button" fz="xs" onClick={() => onChange(hooksOf(receiverUrl))}>
            Use the demo receiver
          </Anchor>
          . It verifies and shows each delivery.
        </Text>
      )}
    </Stack>
  );
}
