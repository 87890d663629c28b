import { ok, operation } from '../../kit/http/operation.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { findMessage } from '../../platform/mail/index.ts';
import { operator } from './access.ts';
import { exampleMessage, MessageId, MessageWithText, toMessage } from './operator.ts';

export const getMessage = operation({
  id: 'getMessage',
  route: 'GET /api/operator/messages/{messageId}',
  tag: 'Operators',
  summary: 'Read a message',
  description:
    'Returns the text of a message that waits because no mail server is configured. The operator then passes the message to its recipient. The record of operators stores who read the message.',
  access: operator(),
  params: strictObject({ messageId: MessageId }),
  replies: ok(
    'The message.',
    MessageWithText,
    { aReset: { ...exampleMessage, text: 'A person, probably you, requested a new password.' } },
    { headers: ['Cache-Control'] },
  ),
  problems: ['not_found', 'conflict'],
  async run({ services, tx, record }, { ids: { messageId }, params }) {
    const row = await findMessage(tx, messageId);
    if (!row) throw problem('not_found');
    if (services.sendsMail)
      throw problem('conflict', { detail: 'This installation sends mail, so only the recipient can read a message.' });
    if (row.text === null)
      throw problem('conflict', { detail: 'The text was erased when the message was sent or abandoned.' });
    await record('message.read', params.messageId, { to: row.recipient, subject: row.subject });
    return { status: 200, headers: { 'cache-control': 'no-store' }, body: { ...toMessage(row), text: row.text } };
  },
});
