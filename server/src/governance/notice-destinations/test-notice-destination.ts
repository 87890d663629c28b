import { allowMemberWrite } from '../../identity/sessions/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { destinationParams } from './destination.ts';
import { insertTestMessage, lockDestination } from './store.ts';

export const testNoticeDestination = operation({
  id: 'testNoticeDestination',
  route: 'POST /api/organisations/{organisationId}/notice-destinations/{destinationId}/test',
  tag: 'Notices',
  summary: 'Send a test message',
  description:
    'Sends a test message to the destination, in one attempt. `listNoticeDestinations` returns its result as `lastAttempt`. A disabled destination, and one whose previous test message is still waiting, answer 409.',
  access: allowMemberWrite('endpoints.change'),
  params: destinationParams,
  replies: { 202: { description: 'The test message was queued.' } },
  problems: ['conflict'],
  async run({ services, actor, tx, audit }, { ids, params }) {
    const row = await lockDestination(tx, actor.organisationId, ids.destinationId);
    if (!row) throw problem('not_found');
    if (row.disabled_reason !== null) {
      throw problem('conflict', { detail: 'The destination is disabled. Enable it first.' });
    }
    const link = `${services.consoleUrl}/sandbox/${toId('org', actor.organisationId)}/notices`;
    const message = {
      subject: `A test message to "${row.name}"`,
      text: `${actor.name} sent this message to test the destination. It reports no event.`,
      link,
    };
    if (!(await insertTestMessage(tx, ids.destinationId, message))) {
      throw problem('conflict', { detail: 'The previous test message is still waiting.' });
    }
    audit('notice_destination.test', params.destinationId);
    return { status: 202 };
  },
});
