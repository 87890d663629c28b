// Ends a membership, and asks what happens to the member's keys.
import { Button, Radio, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api, type Member } from '../../kit/api.ts';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';

interface EndMembershipProps {
  organisationId: string;
  member: Member;
  isSelf: boolean;
  onClose: () => void;
}

export function EndMembership({ organisationId, member, isSelf, onClose }: EndMembershipProps): ReactNode {
  const [keys, setKeys] = useState<'keep' | 'revoke'>('keep');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const endMembership = useMutation({
    mutationFn: () =>
      isSelf
        ? api.leaveOrganisation({ organisationId, body: { keys } })
        : api.removeMember({ organisationId, memberId: member.id, body: { keys } }),
    onSuccess: async (ended) => {
      const missed = ended.keys.filter(({ outcome }) => outcome === 'not_reached').map((one) => one.environment);
      if (missed.length > 0) {
        const message = `Their keys may still work in: ${missed.join(', ')}. Revoke the keys there.`;
        notifications.show({ color: 'red', title: 'Some keys were not reached', message, autoClose: false });
      }
      onClose();
      if (isSelf) await navigate({ to: '/organisations' });
      await queries.invalidateQueries({ queryKey: isSelf ? queryKeys.session : ['organisations', organisationId] });
    },
  });
  return (
    <FormDialog onClose={onClose} title={isSelf ? 'Leave the organisation?' : `Remove ${member.name}?`}>
      <Stack>
        <Text>
          {isSelf ? 'You lose' : `${member.email} loses`} access immediately, including access tokens and open
          invitations.
        </Text>
        {endMembership.error && <ProblemAlert error={endMembership.error} />}
        <Radio.Group label="Keys of this member" value={keys} onChange={(value) => setKeys(value as typeof keys)}>
          <Stack gap="xs" mt="xs">
            <Radio value="keep" label="Keep the keys" />
            <Radio value="revoke" label="Revoke the keys in every environment" />
          </Stack>
        </Radio.Group>
        <DialogActions>
          <Button variant="default" data-autofocus onClick={onClose}>
            {isSelf ? 'Stay' : 'Keep the member'}
          </Button>
          <Button color="red.8" loading={endMembership.isPending} onClick={() => endMembership.mutate()}>
            {isSelf ? 'Leave' : 'Remove'}
          </Button>
        </DialogActions>
      </Stack>
    </FormDialog>
  );
}
