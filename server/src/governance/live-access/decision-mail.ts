// The text about a decision of a reviewer, for members and destinations of the organisation.
import { toId } from '../../kit/crypto/ids.ts';
import type { NoticeMessage } from '../../platform/notices/index.ts';
import type { LiveAccessRequestRow } from './live-access.ts';

const RESULTS = {
  approve: 'was approved',
  reject: 'was rejected',
  request_changes: 'needs changes',
  suspend: 'was suspended',
  resume: 'was resumed',
  revoke: 'was revoked',
} as const;
export type DecisionAction = keyof typeof RESULTS;

/** Returns the text with the reason and the scopes, and the address of the request. Names were entered by members. */
export function composeDecisionText(
  row: Pick<LiveAccessRequestRow, 'organisation_id' | 'app_id' | 'app_name'>,
  { action, text, scopes }: { action: DecisionAction; text?: string | null; scopes?: readonly string[] },
  consoleUrl: string,
): NoticeMessage {
  const result = RESULTS[action];
  const paragraphs = [
    `The ${action === 'suspend' || action === 'resume' || action === 'revoke' ? '' : 'request for '}live access of the app "${row.app_name}" ${result} by a reviewer.`,
  ];
  if (scopes && scopes.length > 0) paragraphs.push(`Scopes: ${scopes.join(', ')}`);
  if (text) paragraphs.push(`Reason: ${text}`);
  const organisationId = toId('org', row.organisation_id);
  return {
    subject: `Live access of the app "${row.app_name}" ${result}`,
    text: paragraphs.join('\n\n'),
    link: `${consoleUrl}/sandbox/${organisationId}/apps/${toId('app', row.app_id)}/live-access`,
  };
}
