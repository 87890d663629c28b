import { operation } from '../../kit/http/operation.ts';
import { closed } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { findMessage } from '../../platform/mail/index.ts';
import { operator } from './access.ts';
import { exampleMessage, MessageId, MessageWithText, toMessage } from './operator.ts';

export const getMessage = operation({
  id: 'getMessage',
  method: 'GET',
  path: '/api/operator/messages/{messageId}',
  tag: 'Operators',
  summary: 'Read a message',
  description:
    'The text of a message that waits where no mail server is set: the operator is then the way by which it reaches its person. That it was read is kept, with who read it.',
  access: operator(),
  params: closed({ messageId: MessageId }),
  replies: {
    200: {
      description: 'The message.',
      schema: MessageWithText,
      headers: ['Cache-Control'],
      examples: { aReset: { ...exampleMessage, text: 'Somebody, probably you, asked for a new password.' } },
    },
  },
  problems: ['not_found', 'conflict'],
  async run({ services, tx, record }, { ids: { messageId }, params }) {
    const row = await findMessage(tx, messageId);
    if (!row) throw problem('not_found');
    if (services.sendsMail)
      throw problem('conflict', { detail: 'Mail is sent here, so nobody but its reader reads it.' });
    if (row.text === null) throw problem('conflict', { detail: 'Its text was erased when it was sent or given up.' });
    await record('message.read', params.messageId, { to: row.recipient, subject: row.subject });
    return { status: 200, headers: { 'cache-control': 'no-store' }, body: { ...toMessage(row), text: row.text } };
  },
});
