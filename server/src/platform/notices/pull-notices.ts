import { asConsole } from '../../access/authority/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { closed, Type, text } from '../../kit/http/schema.ts';
import { exampleNotice, kindsFor, NoticeId, toUntakenNotices, UntakenNotice } from './notice.ts';
import { listUntaken, markTaken } from './store.ts';

/** The number of notices per response. */
export const PULLED = 100;

const {
  operationId: _operationId,
  requestId: _requestId,
  pageOrigin: _pageOrigin,
  withheld: _withheld,
  readAt: _readAt,
  readBy: _readBy,
  ...exampleFields
} = exampleNotice;
const exampleUntaken = {
  ...exampleFields,
  kind: 'key_expires',
  organisationId: 'org_01j9z3v8k6e5t8m2n4p6q8r0s4',
  keyCreatedBy: 'imke@example.org',
};

export const Pull = closed({
  taken: Type.Array(NoticeId, { maxItems: PULLED, description: 'Notices whose mail the Console has queued durably.' }),
});
export const Pulled = closed({
  data: Type.Array(UntakenNotice, { maxItems: PULLED, description: 'The oldest notices that are not taken.' }),
});

/**
 * Hands notices to the Console's own process, to be mailed. The Console reports a notice as taken after its own commit.
 * After a crash in between it gets the same notice again and recognises it.
 */
export const pullNotices = operation({
  id: 'pullNotices',
  method: 'POST',
  path: '/console/notices/pull',
  tag: 'Notices',
  summary: 'Pull notices to mail',
  description:
    'Marks the named notices as taken and returns the oldest remaining notices of the kinds that the Console supports.',
  access: asConsole({
    requestHeaders: {
      'Notice-Kinds': text(
        'The kinds that the Console supports in addition to those of release 0.1.0, separated by commas. This is a header because earlier planes refuse an unknown field.',
        { maxLength: 200 },
      ),
    },
  }),
  body: Pull,
  examples: { first: { taken: [] } },
  replies: {
    200: { description: 'Notices.', schema: Pulled, examples: { one: { data: [exampleUntaken] } } },
  },
  async run({ tx, headers }, { body }) {
    const taken = body.taken.flatMap((id) => fromId('ntc', id) ?? []);
    if (taken.length > 0) await markTaken(tx, taken);
    const rows = await listUntaken(tx, kindsFor(headers['notice-kinds']), PULLED);
    return { status: 200, body: { data: rows.flatMap(toUntakenNotices) } };
  },
});
