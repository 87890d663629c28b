// Configures who may sign up on this installation.
import { Button, Radio, Stack, TagsInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { SignUpPolicy } from '../../kit/api.ts';
import { RowsSkeleton } from '../../kit/list-states.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { useTitle } from '../../kit/use-title.ts';
import { useSetSignUpPolicy, useSignUpPolicy } from './use-operator.ts';

const POLICIES = [
  ['invited', 'Invited people', 'An organisation must invite the person.'],
  ['domain', 'Addresses of certain domains', 'Invited people can sign up too.'],
  ['open', 'Everyone', 'Everyone who can reach this Console.'],
] as const satisfies readonly [SignUpPolicy['policy'], string, string][];

export function SignUpPolicyPage(): ReactNode {
  useTitle('Sign-up', 'Operator');
  const policy = useSignUpPolicy();
  return (
    <Stack>
      <SectionHead title="Sign-up">
        Decide who can create an account from now on. Existing accounts and mailed links are not affected.
      </SectionHead>
      {policy.error && <ProblemAlert error={policy.error} onRetry={() => void policy.refetch()} />}
      {policy.isPending && <RowsSkeleton rows={4} />}
      {policy.data && <PolicyForm saved={policy.data} />}
    </Stack>
  );
}

function PolicyForm({ saved }: { saved: SignUpPolicy }): ReactNode {
  const [policy, setPolicy] = useState(saved.policy);
  const [domains, setDomains] = useState(saved.domains);
  const save = useSetSignUpPolicy(() =>
    notifications.show({ color: 'teal', message: 'The sign-up policy was saved.' }),
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate({ policy, domains: policy === 'domain' ? domains : [] });
  };
  const isRefused = fieldError(save.error, '/domains') !== undefined;
  return (
    <Panel p="lg">
      <form onSubmit={submit}>
        <Stack align="flex-start">
          {save.error && !isRefused && <ProblemAlert error={save.error} />}
          <PolicyChoice policy={policy} onChange={setPolicy} />
          {policy === 'domain' && (
            <TagsInput
              label="Domains"
              description="A domain such as example.org. Press Enter after each. Subdomains are separate domains."
              w="100%"
              maw={480}
              maxTags={100}
              splitChars={[',', ' ', ';']}
              value={domains}
              // The server's message is a regular expression.
              error={isRefused && describeDomains(domains)}
              onChange={(typed) => setDomains([...new Set(typed.map((one) => one.trim().toLowerCase()))])}
            />
          )}
          <Button type="submit" loading={save.isPending}>
            Save policy
          </Button>
        </Stack>
      </form>
    </Panel>
  );
}

const describeDomains = (domains: string[]): string =>
  domains.length === 0 ? 'Name at least one domain.' : 'Each must be a domain, such as example.org.';

interface PolicyChoiceProps {
  policy: SignUpPolicy['policy'];
  onChange: (policy: SignUpPolicy['policy']) => void;
}

function PolicyChoice({ policy, onChange }: PolicyChoiceProps): ReactNode {
  const choose = (value: string): void => {
    const chosen = POLICIES.find(([one]) => one === value);
    if (chosen) onChange(chosen[0]);
  };
  return (
    <Radio.Group label="Sign-up policy" value={policy} onChange={choose}>
      <Stack gap="sm" mt="xs">
        {POLICIES.map(([value, label, description]) => (
          <Radio key={value} value={value} label={label} description={description} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
