// The settings of one member for the mail of an organisation's notices.
import { namedObject, nullable, oneOf, type Static, Type } from '../../kit/http/schema.ts';
import { SENT_KINDS } from '../../platform/notices/index.ts';

export const NoticeMailSettings = namedObject(
  'NoticeMailSettings',
  'How you receive the notices of an organisation by mail.',
  {
    timing: nullable(
      oneOf(
        ['immediately', 'daily', 'never'],
        '`immediately`: when a notice is written, at most one mail an hour about one cause. `daily`: one mail a day at 07:00 UTC. `never`: no mail. Null: owners and admins receive every notice immediately, other members receive notices about keys and endpoints that they created.',
      ),
    ),
    mutedKinds: Type.Array(
      oneOf(SENT_KINDS, 'A kind of notice, or `live_access_decided`: a decision about live access.'),
      {
        maxItems: SENT_KINDS.length,
        uniqueItems: true,
        description: 'The kinds of notices that you do not receive by mail.',
      },
    ),
  },
);
export type NoticeMailSettings = Static<typeof NoticeMailSettings>;

export const exampleSettings: NoticeMailSettings = { timing: 'daily', mutedKinds: ['key_in_browser'] };
