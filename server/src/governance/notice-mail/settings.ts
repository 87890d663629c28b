// The settings of one member for the mail of an organisation's notices.
import { namedObject, nullable, oneOf, type Static, Type } from '../../kit/http/schema.ts';
import { MAILED_KINDS } from '../../platform/notices/index.ts';

/** The kinds that a member can mute: those of planes, and a decision of a reviewer, which the Console stores. */
export const MAIL_KINDS = [...MAILED_KINDS, 'live_access_decided'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

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
      oneOf(MAIL_KINDS, 'A kind of notice, or `live_access_decided`: a decision about live access.'),
      {
        maxItems: MAIL_KINDS.length,
        uniqueItems: true,
        description: 'The kinds of notices that you do not receive by mail.',
      },
    ),
  },
);
export type NoticeMailSettings = Static<typeof NoticeMailSettings>;

export const exampleSettings: NoticeMailSettings = { timing: 'daily', mutedKinds: ['key_in_browser'] };
