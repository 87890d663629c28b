// Keys of cached reads, so that a change can invalidate them.
import type { AppScope } from './api.ts';

const ofApp = ({ organisationId, appId }: AppScope) => ['organisations', organisationId, 'apps', appId] as const;

export const queryKeys = {
  session: ['session'] as const,
  sessions: ['sessions'] as const,
  passkeys: ['passkeys'] as const,
  providers: ['providers'] as const,
  roles: ['roles'] as const,
  members: (organisationId: string) => ['organisations', organisationId, 'members'] as const,
  invitations: (organisationId: string) => ['organisations', organisationId, 'invitations'] as const,
  accessTokens: (organisationId: string) => ['organisations', organisationId, 'access-tokens'] as const,
  notices: (organisationId: string) => ['organisations', organisationId, 'notices'] as const,
  noticeDestinations: (organisationId: string) => ['organisations', organisationId, 'notice-destinations'] as const,
  noticeMailSettings: (organisationId: string) => ['organisations', organisationId, 'notice-mail-settings'] as const,
  savedViews: (organisationId: string) => ['organisations', organisationId, 'saved-views'] as const,
  deletion: (organisationId: string) => ['organisations', organisationId, 'deletion'] as const,
  auditLog: (organisationId: string) => ['organisations', organisationId, 'audit-log'] as const,
  liveAccess: (organisationId: string) => ['organisations', organisationId, 'live-access'] as const,
  operator: {
    liveAccess: ['operator', 'live-access'] as const,
    organisations: ['operator', 'organisations'] as const,
    platform: ['operator', 'platform'] as const,
    messages: ['operator', 'messages'] as const,
    unauthenticated: ['operator', 'unauthenticated'] as const,
    signUpPolicy: ['operator', 'sign-up-policy'] as const,
  },
  evidence: (scope: AppScope) => [...ofApp(scope), 'evidence'] as const,
  environments: ['environments'] as const,
  keyActivity: (scope: AppScope, keyId: string, since: string | undefined) =>
    [...ofApp(scope), 'key-activity', keyId, since] as const,
  contract: (organisationId: string) => ['organisations', organisationId, 'contract'] as const,
  apps: (organisationId: string) => ['organisations', organisationId, 'apps'] as const,
  everythingOf: ofApp,
  app: (scope: AppScope) => [...ofApp(scope), 'app'] as const,
  keys: (scope: AppScope) => [...ofApp(scope), 'keys'] as const,
  eventScopes: (scope: AppScope) => [...ofApp(scope), 'event-scopes'] as const,
  installations: (scope: AppScope) => [...ofApp(scope), 'installations'] as const,
  endpoints: (scope: AppScope) => [...ofApp(scope), 'endpoints'] as const,
  deliveries: (scope: AppScope) => [...ofApp(scope), 'deliveries'] as const,
  events: (scope: AppScope) => [...ofApp(scope), 'events'] as const,
  traces: (scope: AppScope) => [...ofApp(scope), 'traces'] as const,
  requests: (scope: AppScope) => [...ofApp(scope), 'requests'] as const,
  world: (scope: AppScope) => [...ofApp(scope), 'world'] as const,
  faults: (scope: AppScope) => [...ofApp(scope), 'faults'] as const,
};
