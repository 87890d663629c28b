// Input fields of a request: a select for an enum, suggestions for identifiers, otherwise text, so that invalid values
// can be tried too.
import { Autocomplete, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Parameter } from './document.ts';
import classes from './reference.module.css';
import type { Operation } from './reference.ts';
import { fieldOf, headersFor } from './request.ts';
import type { Try } from './use-try.ts';

const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } };

interface TryFieldProps {
  parameter: Parameter;
  attempt: Try;
}

function TryField({ parameter, attempt }: TryFieldProps): ReactNode {
  const { name, required = false, schema, example, in: place } = parameter;
  const field = fieldOf(parameter);
  const set = (value: string | null): void => attempt.fill(field, value ?? '');
  const common = {
    label: name,
    required: required && place === 'path',
    withAsterisk: false,
    value: attempt.values[field] ?? '',
    ...(place === 'header' && parameter.description && { description: parameter.description }),
  };
  const choices = schema?.enum ?? (schema?.type === 'boolean' ? [true, false] : undefined);
  if (choices) {
    return <Select {...common} data={choices.map(String)} clearable placeholder="Not sent" onChange={set} />;
  }
  const ids = attempt.idsFor(parameter);
  const placeholder =
    example === undefined ? (schema?.default === undefined ? '' : String(schema.default)) : String(example);
  if (ids.length === 0) {
    return (
      <TextInput
        {...common}
        styles={mono}
        placeholder={placeholder}
        onChange={(event) => set(event.currentTarget.value)}
      />
    );
  }
  const labels = new Map(ids.map((one) => [one.id, one.label]));
  return (
    <Autocomplete
      {...common}
      styles={mono}
      data={ids.map((one) => one.id)}
      // All options stay visible while one of them is selected.
      filter={({ options, search }) => (labels.has(search) ? options : options.filter((one) => matches(one, search)))}
      renderOption={({ option }) => (
        <div>
          <Text fz={13}>{labels.get(option.value)}</Text>
          <Text fz={12} c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {option.value}
          </Text>
        </div>
      )}
      maxDropdownHeight={260}
      onChange={set}
    />
  );
}

function matches(option: object, search: string): boolean {
  return 'value' in option && String(option.value).includes(search.trim());
}

export function TryFields({ operation, attempt }: { operation: Operation; attempt: Try }): ReactNode {
  const shown = operation.parameters.filter((one) => one.in === 'path' || one.in === 'query');
  return (
    <Stack gap="xs">
      {shown.map((one) => (
        <TryField key={fieldOf(one)} parameter={one} attempt={attempt} />
      ))}
      {operation.body && <BodyField attempt={attempt} />}
      <details className={classes.fold}>
        <summary>Headers</summary>
        <Stack gap="xs" pt={4}>
          {headersFor(operation).map((one) => (
            <TryField key={fieldOf(one)} parameter={one} attempt={attempt} />
          ))}
        </Stack>
      </details>
    </Stack>
  );
}

function BodyField({ attempt }: { attempt: Try }): ReactNode {
  const { body, setBody } = attempt;
  return (
    <Textarea
      label="Body"
      autosize
      minRows={4}
      maxRows={18}
      spellCheck={false}
      styles={mono}
      value={body}
      description={isJson(body) ? undefined : 'This is not valid JSON. It is sent as it is.'}
      inputWrapperOrder={['label', 'input', 'description']}
      onChange={(event) => setBody(event.currentTarget.value)}
    />
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
