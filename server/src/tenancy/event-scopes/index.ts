// The announced rule about the scopes of events: the events that it withholds from an app, and the operation that
// enables it.
import { enforceEventScopes } from './enforce-event-scopes.ts';
import { getEventScopes } from './get-event-scopes.ts';

export const eventScopeOperations = [getEventScopes, enforceEventScopes];
export { type EventScopesSetting, startEnforcingEventScopes } from './enforce-event-scopes.job.ts';
