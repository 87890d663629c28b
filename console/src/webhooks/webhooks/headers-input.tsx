// Headers that are sent with each delivery. Their values are write-only: the API never returns them.
import { Box, Button, Group, Input, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useCustomValidity } from '../../kit/limited-inputs.tsx';
import type { HeaderChanges } from './settings.ts';

interface HeadersInputProps {
  /** Names of the endpoint's headers. */
  names: string[];
  changes: HeaderChanges;
  onChange: (changes: HeaderChanges) => void;
  /** A listener endpoint accepts no headers, because a terminal receives its deliveries. */
  isListener: boolean;
  error: string | undefined;
}

export function HeadersInput({ names, changes, onChange, isListener, error }: HeadersInputProps): ReactNode {
  if (isListener) return <NoHeaders names={names} error={error} />;
  const all = [...new Set([...names, ...Object.keys(changes)])];
  return (
    <Input.Wrapper
      label="Custom headers"
      labelElement="div"
      description="Sent with each delivery, for receivers that require more than a signature. Values are encrypted and never shown again. If the URL changes to another host, enter them again."
      error={error}
    >
      <Stack gap="xs" mt="xs">
        {all.map((name) => (
          <HeaderRow
            key={name}
            name={name}
            fate={headerChangeOf(name, names, changes)}
            onRemove={() => onChange({ ...changes, [name]: null })}
            onUndo={() => onChange(without(changes, name))}
          />
        ))}
        <NewHeader onSet={(name, value) => onChange({ ...changes, [name]: value })} />
      </Stack>
    </Input.Wrapper>
  );
}

function NoHeaders({ names, error }: Pick<HeadersInputProps, 'names' | 'error'>): ReactNode {
  const warning = names.length > 0 && `Saving removes ${names.join(', ')}.`;
  return (
    <Input.Wrapper
      label="Custom headers"
      labelElement="div"
      description="A listener takes no headers: a terminal would show their values."
      error={error}
    >
      {warning && (
        <Text mt="xs" style={{ overflowWrap: 'anywhere' }}>
          {warning}
        </Text>
      )}
    </Input.Wrapper>
  );
}

type HeaderChange = 'stays' | 'is removed' | 'gets a new value' | 'is added';

function headerChangeOf(name: string, names: string[], changes: HeaderChanges): HeaderChange {
  const change = changes[name];
  if (change === undefined) return 'stays';
  if (change === null) return 'is removed';
  return names.includes(name) ? 'gets a new value' : 'is added';
}

function without(changes: HeaderChanges, name: string): HeaderChanges {
  return Object.fromEntries(Object.entries(changes).filter(([one]) => one !== name));
}

interface HeaderRowProps {
  name: string;
  fate: HeaderChange;
  onRemove: () => void;
  onUndo: () => void;
}

function HeaderRow({ name, fate, onRemove, onUndo }: HeaderRowProps): ReactNode {
  return (
    <Group gap="xs">
      <Text ff="monospace" fz={13} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
      <Text c="dimmed">{fate === 'stays' ? 'its value is not shown' : `${fate} when you save`}</Text>
      <Button
        variant="default"
        size="compact-xs"
        onClick={fate === 'stays' ? onRemove : onUndo}
        aria-label={fate === 'stays' ? `Remove the header ${name}` : `Undo the change of the header ${name}`}
      >
        {fate === 'stays' ? 'Remove' : 'Undo'}
      </Button>
    </Group>
  );
}

function NewHeader({ onSet }: { onSet: (name: string, value: string) => void }): ReactNode {
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const isWhole = name.trim() !== '' && value.trim() !== '';
  // A header that is not set would be lost when the form is saved.
  const refusal = name !== '' || value !== '' ? 'Set the header, or clear its name and value.' : undefined;
  const [wasRefused, setRefused] = useState(false);
  const set = (): void => {
    onSet(name.trim().toLowerCase(), value.trim());
    setName('');
    setValue('');
  };
  return (
    <Group gap="xs" align="flex-end">
      <Box flex="1 1 160px" maw={240}>
        <TextInput
          label="Header name"
          placeholder="authorization"
          maxLength={64}
          ref={useCustomValidity<HTMLInputElement>(refusal)}
          onInvalid={() => setRefused(true)}
          value={name}
          error={wasRefused && refusal}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </Box>
      <Box flex="1 1 220px" maw={360}>
        <PasswordInput
          label="Header value"
          autoComplete="off"
          maxLength={2048}
          value={value}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the value' }}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
      </Box>
      <Button variant="default" disabled={!isWhole} onClick={set}>
        Set header
      </Button>
    </Group>
  );
}
