// Actions of the audit log in words. One that is not here is shown as it is called.
import type { AuditEntry } from '../../kit/api.ts';

const WORDS = {
  'access.refused': 'Was refused by their role',
  'access_token.create': 'Created an access token',
  'access_token.revoke': 'Revoked an access token',
  'app.create': 'Registered an app',
  'app.update': 'Changed an app',
  'app.suspend': 'Suspended an app',
  'app.resume': 'Resumed an app',
  'app.delete': 'Deleted an app',
  'app.restore': 'Restored an app',
  'delivery.redeliver': 'Redelivered a delivery',
  'device_sign_in.approve': 'Approved the sign-in of a terminal',
  'endpoint.create': 'Added an endpoint',
  'endpoint.update': 'Changed an endpoint',
  'endpoint.delete': 'Deleted an endpoint',
  'endpoint.test': 'Sent a test event',
  'endpoint.drill': 'Began a receiver drill',
  'event.trigger': 'Triggered an event',
  'fault.create': 'Created a fault rule',
  'fault.update': 'Changed a fault rule',
  'fault.delete': 'Deleted a fault rule',
  'installation.authorised': 'Authorised an installation',
  'installation.paused': 'Paused an installation',
  'installation.revoked': 'Revoked an installation',
  'installation.bulk': 'Changed many grants',
  'installation_scope.authorised': 'Authorised a scope',
  'installation_scope.paused': 'Paused a scope',
  'installation_scope.revoked': 'Revoked a scope',
  'invitation.create': 'Invited a person',
  'invitation.accept': 'Accepted an invitation',
  'invitation.revoke': 'Revoked an invitation',
  'key.create': 'Generated a key',
  'key.update': 'Changed a key',
  'key.rotate': 'Rotated a key',
  'key.revoke': 'Revoked a key',
  'key.use': 'Made a call with a key',
  'member.change': 'Changed a member’s role',
  'member.remove': 'Removed a member',
  'member.leave': 'Left the organisation',
  'notice.read': 'Read a notice',
  'organisation.create': 'Created the organisation',
  'organisation.transfer': 'Handed the organisation on',
  'organisation.export': 'Exported the organisation',
  'organisation.delete': 'Deleted the organisation',
  'organisation.restore': 'Restored the organisation',
  'organisation.suspend': 'Suspended the organisation',
  'organisation.resume': 'Resumed the organisation',
  'organisation.set_quotas': 'Set the organisation’s quotas',
  'organisation.active': 'Let the organisation’s apps go on',
  'organisation.suspended': 'Suspended the organisation’s apps',
  'organisation.deleted': 'Stopped the organisation’s apps for good',
  'redelivery.create': 'Began a redelivery',
  'redelivery.update': 'Changed a redelivery',
  'signing_secret.reveal': 'Revealed a signing secret',
  'signing_secret.rotate': 'Rotated a signing secret',
  'signing_secret.end_overlap': 'Ended the previous signing secret',
  'world.reset': 'Reset the world',
  'world.clock': 'Set the world’s clock',
} as const;

export const ACTIONS: readonly string[] = Object.keys(WORDS);

export function actionWords(action: string): string {
  return new Map<string, string>(Object.entries(WORDS)).get(action) ?? action;
}

export const ACTOR_WORDS: Record<AuditEntry['actor']['kind'], string> = {
  person: 'in person',
  token: 'with an access token',
  machine: 'by itself',
  operator: 'as the operator',
};

export const CHAIN_WORDS: Record<AuditEntry['chain'], string> = {
  console: 'Console',
  sandbox: 'Sandbox',
  production: 'Production',
};
