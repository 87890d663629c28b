// Form of a reviewer's decision: approve some or all scopes with a server limit, request changes, or reject. The
// decision applies to the version that was shown, and never to a newer one.
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api, type LiveAccessRequestDetail, type Scope } from '../../kit/api.ts';
import { LimitedNumberInput, LimitedTextarea } from '../../kit/limited-inputs.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useDecision } from './use-live-access.ts';

type DecisionKind = 'approve' | 'changes' | 'reject';

export function DecisionForm({ request }: { request: LiveAccessRequestDetail }): ReactNode {
  const requested = request.scopes.map(({ scope }) => scope);
  const [scopes, setScopes] = useState<Scope[]>(requested);
  const [cap, setCap] = useState<number | string>('');
  const [reason, setReason] = useState('');
  const { version, id: liveAccessRequestId } = request;
  const decision = useDecision((verdict: DecisionKind) => {
    if (verdict === 'approve') {
      const maxServers = cap === '' ? null : Number(cap);
      return api.approveLiveAccess({ liveAccessRequestId, body: { version, scopes, maxServers } });
    }
    const body = { version, reason: reason.trim() };
    return verdict === 'changes'
      ? api.requestLiveAccessChanges({ liveAccessRequestId, body })
      : api.rejectLiveAccessRequest({ liveAccessRequestId, body });
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    decision.mutate('approve');
  };
  const isPending = (verdict: DecisionKind): boolean => decision.isPending && decision.variables === verdict;
  return (
    <Stack gap="xs">
      <SectionHead title="Your decision" order={3}>
        The decision is recorded with your address, here and in the organisation’s audit log.
      </SectionHead>
      {decision.error && <ProblemAlert error={decision.error} />}
      <Panel p="md">
        <form onSubmit={submit} aria-label="Approve">
          <Stack>
            <Checkbox.Group
              label="Scopes to approve"
              value={scopes}
              onChange={(chosen) => setScopes(requested.filter((scope) => chosen.includes(scope)))}
            >
              <Stack gap="xs" my="xs">
                {requested.map((scope) => (
                  <Checkbox key={scope} value={scope} label={scope} />
                ))}
              </Stack>
            </Checkbox.Group>
            <LimitedNumberInput
              label="Server limit"
              description="The largest number of servers that can install the app. Leave the field empty for no limit."
              min={1}
              max={1_000_000}
              allowDecimal={false}
              w={{ base: '100%', sm: 300 }}
              value={cap}
              onChange={setCap}
            />
            <Button type="submit" w="fit-content" disabled={scopes.length === 0} loading={isPending('approve')}>
              Approve {scopes.length === requested.length ? 'all of it' : `${scopes.length} of ${requested.length}`}
            </Button>
          </Stack>
        </form>
      </Panel>
      <Panel p="md">
        <Stack>
          <LimitedTextarea
            label="Message to the organisation"
            description="State the required changes, or the reason for a rejection."
            autosize
            minRows={2}
            maxRows={8}
            most={2000}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Group>
            <Button
              variant="default"
              disabled={reason.trim() === ''}
              loading={isPending('changes')}
              onClick={() => decision.mutate('changes')}
            >
              Request changes
            </Button>
            <Button
              color="red.8"
              disabled={reason.trim() === ''}
              loading={isPending('reject')}
              onClick={() => decision.mutate('reject')}
            >
              Reject
            </Button>
          </Group>
          {reason.trim() === '' && <Text c="dimmed">Both decisions require a message to the organisation.</Text>}
        </Stack>
      </Panel>
    </Stack>
  );
}
