import { allowMemberWrite } from '../../identity/sessions/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import {
  destinationParams,
  exampleDestination,
  NoticeDestination,
  NoticeDestinationChange,
  toDestination,
  validateEnvironments,
} from './destination.ts';
import { cancelMessages, lockDestination, updateDestination } from './store.ts';

export const updateNoticeDestination = operation({
  id: 'updateNoticeDestination',
  route: 'PATCH /api/organisations/{organisationId}/notice-destinations/{destinationId}',
  tag: 'Notices',
  summary: 'Change a destination of notices',
  description:
    'Changes the name, the environments, the muted kinds or the state of a destination. To disable a destination cancels its waiting messages; an attempt in progress is aborted within a few seconds. To change the address, create another destination and delete this one.',
  access: allowMemberWrite('endpoints.change'),
  params: destinationParams,
  body: NoticeDestinationChange,
  examples: { disable: { state: 'disabled' } },
  replies: ok('The destination after the change.', NoticeDestination, {
    disable: { ...exampleDestination, state: 'disabled', disabledReason: 'Disabled by imke@example.org.' },
  }),
  async run({ actor, tx, audit }, { ids: { destinationId }, params, body }) {
    const row = await lockDestination(tx, actor.organisationId, destinationId);
    if (!row) throw problem('not_found');
    const errors = validateEnvironments(row.kind, body.environments ?? row.environments);
    if (errors.length > 0) throw problem('invalid_request', { errors });
    const reason = row.disabled_reason ?? `Disabled by ${actor.name}.`.slice(0, 200);
    const isDisabled = (body.state ?? (row.disabled_reason === null ? 'enabled' : 'disabled')) === 'disabled';
    const changed = await updateDestination(tx, destinationId, {
      name: body.name ?? row.name,
      environments: body.environments ?? row.environments,
      mutedKinds: body.mutedKinds ?? row.muted_kinds,
      disabledReason: isDisabled ? reason : null,
    });
    if (isDisabled) await cancelMessages(tx, destinationId);
    audit('notice_destination.update', params.destinationId, body);
    return { status: 200, body: toDestination(changed) };
  },
});
