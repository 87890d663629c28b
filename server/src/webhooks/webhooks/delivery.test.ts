import { describe, expect, test } from 'vitest';
import {
  expectDeliveryReason,
  inForce,
  RESTRICTED,
  type ScopeFacts,
  type ServerFacts,
  UPSTREAM_STATES,
} from '../../../test/sweep/restricted-model.ts';
import { authoriseDelivery, type DeliveryAuthorityRow } from './delivery.ts';

const granted: DeliveryAuthorityRow = {
  endpoint_state: 'enabled',
  key_state: 'active',
  is_key_expired: false,
  key_has_scope: true,
  app_status: 'active',
  needs_grant: true,
  installation_state: 'authorised',
  scope_state: 'authorised',
  resource_scope: 'tickets:create',
  enforces_event_scopes: true,
  is_resource_approved: true,
  resource_state: 'authorised',
  restrictions: null,
};

describe('judgement of a delivery', () => {
  test('allows a delivery if nothing forbids it', () => {
    expect(authoriseDelivery(granted)).toEqual({ verdict: 'allow' });
  });

  test.each<[Partial<DeliveryAuthorityRow>, string, string]>([
    [{ endpoint_state: 'disabled' }, 'refuse', 'endpoint_disabled'],
    [{ key_state: 'revoked' }, 'refuse', 'key_revoked'],
    [{ is_key_expired: true }, 'refuse', 'key_expired'],
    [{ key_has_scope: false }, 'refuse', 'key_missing_scope'],
    [{ installation_state: null, scope_state: null }, 'refuse', 'not_installed'],
    [{ installation_state: 'revoked' }, 'refuse', 'installation_revoked'],
    [{ scope_state: null }, 'refuse', 'scope_not_authorised'],
    [{ scope_state: 'revoked' }, 'refuse', 'installation_revoked'],
    [{ is_resource_approved: false }, 'refuse', 'resource_scope_not_approved'],
    [{ resource_state: null }, 'refuse', 'resource_scope_not_authorised'],
    [{ resource_state: 'revoked' }, 'refuse', 'resource_scope_revoked'],
    [{ resource_state: 'revoked', scope_state: 'paused' }, 'refuse', 'resource_scope_revoked'],
    [{ app_status: 'suspended' }, 'hold', 'app_suspended'],
    [{ resource_state: 'paused' }, 'hold', 'resource_scope_paused'],
    [{ installation_state: 'paused' }, 'hold', 'installation_paused'],
    [{ scope_state: 'paused' }, 'hold', 'installation_paused'],
  ])('judges a delivery with %o as %s, %s', (change, verdict, reason) => {
    expect(authoriseDelivery({ ...granted, ...change })).toEqual({ verdict, reason });
  });

  test('names the organisation or the upstream API as the cause, as the model does', () => {
    const combined = (flags: readonly boolean[]) =>
      UPSTREAM_STATES.flatMap((stated) =>
        RESTRICTED.flatMap((restricted) => flags.map((flag) => ({ stated, restricted, flag }))),
      );
    const servers = combined([false, true]).map(({ flag, ...rest }): ServerFacts => ({ ...rest, isOverCap: flag }));
    const scopes = combined([true, false]).map(({ flag, ...rest }): ScopeFacts => ({ ...rest, isApproved: flag }));
    const restrictionOf = (scope: string, { restricted }: ServerFacts | ScopeFacts) =>
      restricted === 'nothing' ? {} : { [scope]: restricted };
    const judged = (whole: ServerFacts, events: ScopeFacts, resource: ScopeFacts) =>
      authoriseDelivery({
        ...granted,
        key_has_scope: events.isApproved,
        installation_state: inForce(whole),
        scope_state: inForce(events),
        is_resource_approved: resource.isApproved,
        resource_state: inForce(resource),
        restrictions: {
          ...restrictionOf('*', whole),
          ...restrictionOf('events:read', events),
          ...restrictionOf('tickets:create', resource),
        },
      });
    for (const whole of servers)
      for (const events of scopes)
        for (const resource of scopes) {
          const reason = expectDeliveryReason(whole, events, resource);
          const expected = reason === null ? { verdict: 'allow' } : { reason };
          expect(judged(whole, events, resource), JSON.stringify({ whole, events, resource })).toMatchObject(expected);
        }
  });

  test('refuses a delivery that is both paused and over, because waiting cannot help it', () => {
    const row: DeliveryAuthorityRow = { ...granted, app_status: 'suspended', key_state: 'revoked' };
    expect(authoriseDelivery(row)).toEqual({ verdict: 'refuse', reason: 'key_revoked' });
  });

  test('ignores the scope of the resource while its app has the earlier rule', () => {
    const row: DeliveryAuthorityRow = { ...granted, enforces_event_scopes: false, resource_state: 'revoked' };
    expect(authoriseDelivery(row)).toEqual({ verdict: 'allow' });
  });

  test('requires no grant for an event without a resource, but everything else', () => {
    const none = { installation_state: null, scope_state: null, resource_scope: null, resource_state: null };
    const row: DeliveryAuthorityRow = { ...granted, ...none, needs_grant: false };
    expect(authoriseDelivery(row)).toEqual({ verdict: 'allow' });
    expect(authoriseDelivery({ ...row, key_has_scope: false })).toMatchObject({ reason: 'key_missing_scope' });
    expect(authoriseDelivery({ ...row, app_status: 'suspended' })).toMatchObject({ verdict: 'hold' });
  });
});
