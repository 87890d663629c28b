// Form that renames an object: its name in a panel, with a button.
import { Button, Group, Stack, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { NameInput } from './name-input.tsx';
import { Panel, SectionHead } from './panel.tsx';
import { ProblemAlert } from './problem-alert.tsx';
import { fieldError } from './problem-text.ts';

interface RenameFormProps {
  /** The current name. */
  name: string;
  /** Describes who sees the name. */
  description: string;
  inputLabel: string;
  /** The title of a panel with more than the name. The label of the name is then visible. */
  title?: string;
  /** Why the person cannot rename the object; undefined if they can. */
  refusal: string | undefined;
  /** Shown above the input. */
  children?: ReactNode;
  rename: Pick<UseMutationResult<unknown, Error, string>, 'mutate' | 'isPending' | 'error'>;
}

export function RenameForm(props: RenameFormProps): ReactNode {
  const { name: before, description, inputLabel, title, refusal, rename, children } = props;
  const [name, setName] = useState(before);
  const nameError = fieldError(rename.error, '/name');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    rename.mutate(name.trim());
  };
  return (
    <Panel p="lg">
      <form onSubmit={submit}>
        <Stack>
          <SectionHead title={title ?? 'Name'}>{description}</SectionHead>
          {children}
          {rename.error && <ProblemAlert error={rename.error} fields={['/name']} />}
          <Group align="flex-end">
            <NameInput
              {...(title === undefined ? { 'aria-label': inputLabel } : { label: inputLabel })}
              flex={1}
              readOnly={refusal !== undefined}
              value={name}
              error={nameError}
              onChange={setName}
            />
            <Button
              type="submit"
              variant="default"
              disabled={refusal !== undefined || name.trim() === before}
              loading={rename.isPending}
            >
              Rename
            </Button>
          </Group>
          {refusal && <Text c="dimmed">{refusal}</Text>}
        </Stack>
      </form>
    </Panel>
  );
}
