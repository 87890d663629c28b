// Asks for the code of a terminal, shows the requesting device, and takes the decision.
import { Alert, Button, Code, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api, type DeviceSignIn, type Session } from '../../kit/api.ts';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { type TokenSettings, TokenSettingsFields } from '../organisations/token-settings.tsx';

const FIXES = {
  not_found:
    'No terminal shows this code, or it has expired. A code is valid for ten minutes. Run slipway login again.',
};

export function DeviceSteps({ session }: { session: Session }): ReactNode {
  const [code, setCode] = useState('');
  const [end, setEnd] = useState<string>();
  const find = useMutation({ mutationFn: () => api.findDeviceSignIn({ body: { userCode: code } }), gcTime: 0 });
  if (end !== undefined) return <Text role="status">{end}</Text>;
  if (session.organisations.length === 0) {
    return (
      <Stack>
        <Text>A terminal acts in an organisation, and you are not a member of one yet.</Text>
        <AnchorLink to="/organisations">Create one</AnchorLink>
      </Stack>
    );
  }
  if (find.data) return <Decision code={code} device={find.data} session={session} onEnd={setEnd} />;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    find.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {find.error && <ProblemAlert error={find.error} fixes={FIXES} />}
        <TextInput
          label="Code"
          description="Type the code that slipway login shows in your terminal. Never type a code that another person sent you."
          placeholder="WDJB-MJHT"
          autoFocus
          required
          withAsterisk={false}
          autoComplete="off"
          spellCheck={false}
          minLength={8}
          maxLength={20}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value.toUpperCase())}
        />
        <Button type="submit" fullWidth loading={find.isPending}>
          Continue
        </Button>
      </Stack>
    </form>
  );
}

interface DecisionProps {
  code: string;
  device: DeviceSignIn;
  session: Session;
  onEnd: (words: string) => void;
}

function Decision({ code, device, session, onEnd }: DecisionProps): ReactNode {
  const { organisations, person } = session;
  const [organisationId, setOrganisationId] = useState(organisations[0]?.id ?? '');
  const [settings, setWish] = useState<TokenSettings>({ scope: 'read', days: 30 });
  const approve = useMutation({
    mutationFn: () => {
      const body = { userCode: code, scope: settings.scope, expiresInDays: Number(settings.days) };
      return api.approveDeviceSignIn({ organisationId, body });
    },
    onSuccess: () => onEnd('The terminal is signed in within a few seconds. You can close this page.'),
  });
  const deny = useMutation({
    mutationFn: () => api.denyDeviceSignIn({ body: { userCode: code } }),
    onSuccess: () => onEnd('The terminal was refused. You can close this page.'),
  });
  const error = approve.error ?? deny.error;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    approve.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text style={{ overflowWrap: 'anywhere' }}>
          It will act in the name of <strong>{person.email}</strong>.
        </Text>
        <FactList
          facts={[
            ['Name', device.device],
            ['Address', device.address],
            ['Since', <RelativeTime key="since" at={device.requestedAt} />],
          ]}
        />
        <Alert color={device.hasYourAddress ? 'blue' : 'orange'} variant="light">
          {!device.hasYourAddress && 'The address differs from yours. '}
          Continue only if you have just run <Code>slipway login</Code> yourself, and that terminal shows {code}.
        </Alert>
        {error && <ProblemAlert error={error} fixes={FIXES} />}
        <NativeSelect
          label="Organisation"
          data={organisations.map(({ id, name }) => ({ value: id, label: name }))}
          value={organisationId}
          onChange={(event) => setOrganisationId(event.currentTarget.value)}
        />
        <TokenSettingsFields wish={settings} onChange={setWish} />
        <DialogActions>
          <Button variant="default" loading={deny.isPending} onClick={() => deny.mutate()}>
            Refuse
          </Button>
          <Button type="submit" loading={approve.isPending}>
            Sign in
          </Button>
        </DialogActions>
      </Stack>
    </form>
  );
}
