// Input of an endpoint's address.
import { Anchor, Stack, Text, TextInput, type TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { IS_PRODUCTION, useCurrentEnvironment } from '../../kit/environments.ts';
import { InlineCode } from '../../kit/inline.tsx';
import { createListener, isListener, ListenerNote } from './listener.tsx';

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
        description={
          IS_PRODUCTION
            ? 'An https address that is reachable from the internet.'
            : 'An https address that is reachable from the internet, or a listener for a receiver on your machine.'
        }
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
      {isListener(value) && <ListenerNote url={value} />}
      {!IS_PRODUCTION && !isListener(value) && (
        <Choice label="Use a listener" onChoose={() => onChange(createListener())}>
          <InlineCode>slipway listen</InlineCode> forwards each delivery to your machine.
        </Choice>
      )}
      {receiverUrl && (
        <Choice label="Use the demo receiver" onChoose={() => onChange(hooksOf(receiverUrl))}>
          It verifies and shows each delivery.
        </Choice>
      )}
    </Stack>
  );
}

interface ChoiceProps {
  label: string;
  onChoose: () => void;
  children: ReactNode;
}

/** Enters another address. */
function Choice({ label, onChoose, children }: ChoiceProps): ReactNode {
  return (
    <Text fz="xs" c="dimmed">
      <Anchor component="button" type="button" fz="xs" onClick={onChoose}>
        {label}
      </Anchor>
      . {children}
    </Text>
  );
}
