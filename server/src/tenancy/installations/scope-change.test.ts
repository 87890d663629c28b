// The events that the changes of one call on one installation cause.
import { describe, expect, test } from 'vitest';
import type { GrantState } from '../../access/authority/index.ts';
import { type ChangedGrant, toGrantChangeEvents } from './scope-change.ts';

type Change = ChangedGrant['changes'][number];
const whole = (from: GrantState | null, to: GrantState | null): Change => ({ scopes: null, from, to });
const reads = (from: GrantState | null, to: GrantState | null): Change => ({ scopes: ['servers:read'], from, to });
const eventsOf = (state: GrantState | null, changes: Change[], ...scopes: ChangedGrant['scopes']) =>
  toGrantChangeEvents({ server_id: 's', installation_id: 'i', event_sequence: 0, state, scopes, changes });
const changed = (from: GrantState, to: GrantState) => ({
  type: 'installation.scope_changed',
  data: { scopes: ['servers:read'], from: { 'servers:read': from }, to: { 'servers:read': to } },
});
const paused = { type: 'installation.paused', data: {} };
const resumed = { type: 'installation.resumed', data: {} };
const authorised = { scope: 'servers:read', state: 'authorised' } as const;

describe('toGrantChangeEvents', () => {
  test.each<[string, GrantState | null, Change[], object[]]>([
    ['a pause', 'paused', [whole('authorised', 'paused')], [paused]],
    ['a resumption', 'authorised', [whole('paused', 'authorised')], [resumed]],
    ['a revocation', 'revoked', [whole('authorised', 'revoked')], [changed('authorised', 'revoked')]],
    ['a revocation while paused', 'revoked', [whole('paused', 'revoked')], [changed('paused', 'revoked')]],
    [
      'a new installation',
      'authorised',
      [whole(null, 'authorised'), reads(null, 'authorised')],
      [changed('revoked', 'authorised')],
    ],
    [
      'a new installation beyond the cap',
      'paused',
      [whole(null, 'paused'), reads(null, 'authorised')],
      [changed('revoked', 'paused')],
    ],
    [
      'an installation that ends with its server',
      null,
      [reads('authorised', null), whole('paused', null)],
      [changed('paused', 'revoked')],
    ],
    ['a scope of a paused installation', 'paused', [reads('paused', 'authorised')], [changed('paused', 'authorised')]],
    [
      'a pause of the whole and of a scope',
      'paused',
      [reads('authorised', 'paused'), whole('authorised', 'paused')],
      [paused, changed('authorised', 'paused')],
    ],
    ['a change that the call takes back', 'authorised', [reads('paused', 'revoked'), reads(null, 'paused')], []],
    ['a scope that ends with a revoked installation', null, [reads('authorised', null)], []],
  ])('reports %s', (_, state, changes, events) => {
    expect(eventsOf(state, changes, authorised)).toEqual(events);
  });

  test('omits scopes that a new installation does not have', () => {
    const [event] = eventsOf('revoked', [whole('authorised', 'revoked')], authorised, {
      scope: 'tickets:create',
      state: 'revoked',
    });
    expect(event).toEqual(changed('authorised', 'revoked'));
  });
});
