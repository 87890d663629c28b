// Generates a key: asks for its settings, then shows the secret once, with a command to paste.
import { Button, Stack, TagsInput, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useLiveAccess } from '../../governance/live-access/use-live-access.ts';
import { needsSecondFactor, VerifySecondFactor } from '../../identity/session/verify-second-factor.tsx';
import type { AppScope, Scope } from '../../kit/api.ts';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { ENVIRONMENT_PHRASE, IS_PRODUCTION } from '../../kit/environments.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { NameInput } from '../../kit/name-input.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { ExpiryInput, MAX_DAYS } from './expiry-input.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { ScopePicker } from './scope-picker.tsx';
import { useCreateKey } from './use-keys.ts';

/** Values of the form when it opens. */
interface InitialKey {
  name: string;
  scopes: Scope[];
  /** Undefined or null: any address. */
  allowedCidrs?: string[] | null;
}

interface GenerateKeyProps {
  scope: AppScope;
  initial?: InitialKey;
  onCreated?: (keyId: string) => void;
  onClose: () => void;
}

// Only production has an input for address ranges.
const FIELDS = ['/name', '/scopes', '/expiresInDays', ...(IS_PRODUCTION ? ['/allowedCidrs'] : [])];
const EMPTY_KEY: InitialKey = { name: '', scopes: [] };

export function GenerateKey({ scope, initial = EMPTY_KEY, onCreated, onClose }: GenerateKeyProps): ReactNode {
  const create = useCreateKey(scope);
  const access = useLiveAccess(scope, IS_PRODUCTION);
  const approved = IS_PRODUCTION ? (access.data?.scopes ?? []) : undefined;
  if (!create.data) {
    const unapproved = access.isSuccess && approved ? initial.scopes.filter((one) => !approved.includes(one)) : [];
    return <KeyForm create={create} initial={initial} approved={approved} unapproved={unapproved} onClose={onClose} />;
  }

  const { key } = create.data;
  const close = (): void => {
    onCreated?.(key.id);
    onClose();
  };
  return <NewKeyDialog created={create.data} onClose={close} />;
}

interface KeyFormProps {
  initial: InitialKey;
  create: ReturnType<typeof useCreateKey>;
  /** Undefined in the sandbox, where any scope can be selected. */
  approved: readonly Scope[] | undefined;
  /** Initial scopes that are not approved. */
  unapproved: readonly Scope[];
  onClose: () => void;
}

function KeyForm({ create, initial, approved, unapproved, onClose }: KeyFormProps): ReactNode {
  const [name, setName] = useState(initial.name);
  const [selected, setSelected] = useState<Scope[]>(initial.scopes);
  const scopes = selected.filter((one) => approved?.includes(one) ?? true);
  const [days, setDays] = useState<number | string>(MAX_DAYS);
  const [ranges, setRanges] = useState<string[]>(initial.allowedCidrs ?? []);
  const [wasTried, setTried] = useState(false);
  const mustVerify = needsSecondFactor(create.error);
  const lacksScope = wasTried && scopes.length === 0 ? 'Choose at least one scope.' : undefined;

  const generate = (): void => {
    const limits = ranges.length > 0 ? { allowedCidrs: ranges } : {};
    if (scopes.length > 0) create.mutate({ name: name.trim(), scopes, expiresInDays: Number(days), ...limits });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    generate();
  };
  return (
    <FormDialog onClose={onClose} title={`Generate a key for ${ENVIRONMENT_PHRASE}`} size="lg">
      <form onSubmit={submit}>
        <Stack>
          {create.error && !mustVerify && <ProblemAlert error={create.error} fields={FIELDS} />}
          <NameInput
            label="Name"
            description="The purpose of the key, so that you know what stops when you revoke it."
            placeholder="Staging bridge"
            data-autofocus
            value={name}
            error={fieldError(create.error, '/name')}
            onChange={setName}
          />
          <ScopePicker
            value={scopes}
            onChange={setSelected}
            approved={approved}
            error={lacksScope ?? fieldError(create.error, '/scopes')}
          />
          {unapproved.length > 0 && (
            <Text>Left out, because the app is not approved for it in production: {unapproved.join(', ')}.</Text>
          )}
          <ExpiryInput value={days} onChange={setDays} error={fieldError(create.error, '/expiresInDays')} />
          {IS_PRODUCTION && (
            <TagsInput
              label="Address ranges"
              description="Ranges that can use the key, such as 192.0.2.0/24. Leave the field empty for any address. Ranges cannot be changed later."
              maxTags={20}
              value={ranges}
              onChange={setRanges}
              error={fieldError(create.error, '/allowedCidrs')}
            />
          )}
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Generate
            </Button>
          </DialogActions>
        </Stack>
      </form>
      {mustVerify && <VerifySecondFactor onVerified={generate} onClose={create.reset} />}
    </FormDialog>
  );
}
