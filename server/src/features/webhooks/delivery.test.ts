import { describe, expect, test } from 'vitest';
import { type DeliveryAuthorityRow, judgeDelivery } from './delivery.ts';

const granted: DeliveryAuthorityRow = {
  endpoint_state: 'enabled',
  key_state: 'active',
  is_key_expired: false,
  key_has_scope: true,
  app_standing: 'active',
  needs_grant: true,
  installation_state: 'authorised',
  scope_state: 'authorised',
};

describe('a delivery', () => {
  test('is made when everything allows it', () => {
    expect(judgeDelivery(granted)).toEqual({ verdict: 'allow' });
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
    [{ app_standing: 'suspended' }, 'hold', 'app_suspended'],
    [{ installation_state: 'paused' }, 'hold', 'installation_paused'],
    [{ scope_state: 'paused' }, 'hold', 'installation_paused'],
  ])('with %o: %s, %s', (change, verdict, reason) => {
    expect(judgeDelivery({ ...granted, ...change })).toEqual({ verdict, reason });
  });

  test('that is both paused and over is over: nothing waits for what cannot come back', () => {
    const row: DeliveryAuthorityRow = { ...granted, app_standing: 'suspended', key_state: 'revoked' };
    expect(judgeDelivery(row)).toEqual({ verdict: 'refuse', reason: 'key_revoked' });
  });

  test('of an event without a resource asks for no grant, and for all else', () => {
    const row: DeliveryAuthorityRow = { ...granted, needs_grant: false, installation_state: null, scope_state: null };
    expect(judgeDelivery(row)).toEqual({ verdict: 'allow' });
    expect(judgeDelivery({ ...row, key_has_scope: false })).toMatchObject({ reason: 'key_missing_scope' });
    expect(judgeDelivery({ ...row, app_standing: 'suspended' })).toMatchObject({ verdict: 'hold' });
  });
});
