// Form of the signature diagnosis.
import {
  Button,
  Group,
  NativeSelect,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { type AppScope, defined } from '../../kit/api.ts';
import { LoadOlder } from '../../kit/load-older.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { type DiagnosisRequest, readHeaderLines, toBase64 } from './received-message.ts';
import { useEndpoints } from './use-endpoints.ts';

const HEADERS_HINT = `webhook-id: evt_…
webhook-timestamp: 1793614530
webhook-signature: v1,…`;
const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } };

/** Pointers of the fields that show their own error. */
export const DOCTOR_FIELDS = ['/bodyBase64', '/headers', '/computedSignature', '/receivedAt'];

interface DoctorFormProps {
  scope: AppScope;
  endpointId: string;
  error: Error | null;
  isPending: boolean;
  onAsk: (message: DiagnosisRequest) => void;
}

export function DoctorForm({ scope, endpointId, error, isPending, onAsk }: DoctorFormProps): ReactNode {
  const [secretOf, setSecretOf] = useState(endpointId);
  const [bodyForm, setBodyForm] = useState('text');
  const [body, setBody] = useState('');
  const [headerText, setHeaderText] = useState('');
  const [receivedAt, setReceivedAt] = useState('');
  const [computed, setComputed] = useState('');
  const { headers, unreadable } = readHeaderLines(headerText);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (unreadable !== undefined) return;
    onAsk({
      endpointId: secretOf,
      body: {
        bodyBase64: bodyForm === 'text' ? toBase64(body) : body.replaceAll(/\s/g, ''),
        headers,
        ...defined({
          receivedAt: receivedAt === '' ? undefined : new Date(receivedAt).toISOString(),
          computedSignature: computed.trim() === '' ? undefined : computed.trim(),
        }),
      },
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <SecretOf scope={scope} value={secretOf} onChange={setSecretOf} />
        <Stack gap={6}>
          <Textarea
            label="Raw body"
            description={
              bodyForm === 'text'
                ? 'The body before it was parsed. A text field loses carriage returns: enter such a body in base64.'
                : 'The bytes that your code verifies, in base64.'
            }
            autosize
            minRows={4}
            maxRows={14}
            styles={mono}
            value={body}
            error={fieldError(error, '/bodyBase64')}
            onChange={(event) => setBody(event.currentTarget.value)}
          />
          <SegmentedControl
            aria-label="Body format"
            size="xs"
            w="fit-content"
            data={[
              { value: 'text', label: 'As text' },
              { value: 'base64', label: 'In base64' },
            ]}
            value={bodyForm}
            onChange={setBodyForm}
          />
        </Stack>
        <Textarea
          label="Headers"
          description="One header per line, as your code has them."
          placeholder={HEADERS_HINT}
          autosize
          minRows={3}
          maxRows={12}
          styles={mono}
          value={headerText}
          error={unreadable === undefined ? fieldError(error, '/headers') : `This line is not a header: ${unreadable}`}
          onChange={(event) => setHeaderText(event.currentTarget.value)}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label="Computed signature (optional)"
            description="Detects mistakes in how you compute the signature."
            maxLength={500}
            styles={mono}
            value={computed}
            error={fieldError(error, '/computedSignature')}
            onChange={(event) => setComputed(event.currentTarget.value)}
          />
          <TextInput
            label="Received at (optional)"
            description="Enter the time of your clock. Without this time the clock is not checked."
            type="datetime-local"
            step={1}
            value={receivedAt}
            error={fieldError(error, '/receivedAt')}
            onChange={(event) => setReceivedAt(event.currentTarget.value)}
          />
        </SimpleGrid>
        <Group>
          <Button type="submit" loading={isPending}>
            Diagnose
          </Button>
          <Text c="dimmed" fz="xs">
            The response contains neither a secret nor a signature.
          </Text>
        </Group>
      </Stack>
    </form>
  );
}

interface SecretOfProps {
  scope: AppScope;
  value: string;
  onChange: (endpointId: string) => void;
}

function SecretOf({ scope, value, onChange }: SecretOfProps): ReactNode {
  const list = useEndpoints(scope);
  const endpoints = list.items ?? [];
  const isThere = endpoints.some((one) => one.id === value);
  return (
    <Stack gap={6}>
      <NativeSelect
        label="Secret"
        description="The secret of this endpoint, and the previous one during the overlap of a rotation."
        maw={560}
        data={[
          ...(isThere ? [] : [{ value, label: 'This endpoint' }]),
          ...endpoints.map((one) => ({ value: one.id, label: one.url })),
        ]}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <LoadOlder noun="endpoints" list={list} />
    </Stack>
  );
}
