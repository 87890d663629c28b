import { allowConsoleProcess } from '../../access/authority/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { strictObject, Type, text } from '../../kit/http/schema.ts';
import { exampleNotice, kindsFor, NoticeId, PendingNotice, toPendingNotices } from './notice.ts';
import { listPendingNotices, markTaken } from './store.ts';

/** The number of notices per response. */
export const PULL_LIMIT = 100;

const {
  leakUrl: _leakUrl,
  operationId: _operationId,
  requestId: _requestId,
  pageOrigin: _pageOrigin,
  deliveryId: _deliveryId,
  server: _server,
  withheld: _withheld,
  deprecation: _deprecation,
  readAt: _readAt,
  readBy: _readBy,
  ...exampleFields
} = exampleNotice;
const exampleUntaken = {
  ...exampleFields,
  kind: 'key_expires',
  organisationId: 'org_01j9z3v8k6e5t8m2n4p6q8r0s4',
  keyCreatedBy: 'imke@example.org',
  foundAt: null,
};

const NoticePullRequest = strictObject({
  taken: Type.Array(NoticeId, {
    maxItems: PULL_LIMIT,
    description: 'Notices whose mail the Console has queued durably.',
  }),
});
const NoticePullResponse = strictObject({
  data: Type.Array(PendingNotice, { maxItems: PULL_LIMIT, description: 'The oldest notices that are not taken.' }),
});

/**
 * Hands notices to the Console's own process, to be mailed. The Console reports a notice as taken after its own commit.
 * After a crash in between it gets the same notice again and recognises it.
 */
export const pullNotices = operation({
  id: 'pullNotices',
  route: 'POST /console/notices/pull',
  tag: 'Notices',
  summary: 'Pull notices to mail',
  description:
    'Marks the named notices as taken and returns the oldest remaining notices of the kinds that the Console supports.',
  access: allowConsoleProcess({
    requestHeaders: {
      'Notice-Kinds': text(
        'The kinds that the Console supports in addition to those of release 0.1.0, separated by commas. This is a header because earlier planes refuse an unknown field.',
        { maxLength: 200 },
      ),
    },
  }),
  body: NoticePullRequest,
  examples: { first: { taken: [] } },
  replies: ok('Notices.', NoticePullResponse, { one: { data: [exampleUntaken] } }),
  async run({ tx, headers }, { body }) {
    const takenIds = body.taken.flatMap((id) => fromId('ntc', id) ?? []);
    if (takenIds.length > 0) await markTaken(tx, takenIds);
    const rows = await listPendingNotices(tx, kindsFor(headers['notice-kinds']), PULL_LIMIT);
    return { status: 200, body: { data: rows.flatMap(toPendingNotices) } };
  },
});
