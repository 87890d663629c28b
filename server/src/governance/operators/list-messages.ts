import { operation } from '../../kit/http/operation.ts';
import { strictObject, Type } from '../../kit/http/schema.ts';
import { listMessages as listRows } from '../../platform/mail/index.ts';
import { operator } from './access.ts';
import { exampleMessage, Message, MessageId, MessageState, newestReplies, pageQuery, toMessage } from './operator.ts';

export const listMessages = operation({
  id: 'listMessages',
  route: 'GET /api/operator/messages',
  tag: 'Operators',
  summary: 'List the outbox',
  description:
    'Lists the messages in the outbox, newest first, without their texts. To get the next page, send the last identifier as `before`.',
  access: operator(),
  query: strictObject({ ...pageQuery(MessageId), state: Type.Optional(MessageState) }),
  replies: newestReplies('MessageList', Message, 'The messages.', exampleMessage),
  async run({ tx }, { ids: { before }, query }) {
    const rows = await listRows(tx, { limit: query.limit ?? 25, before, state: query.state });
    return { status: 200, body: { data: rows.map(toMessage) } };
  },
});
