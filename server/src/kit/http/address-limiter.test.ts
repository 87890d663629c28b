import { describe, expect, test } from 'vitest';
import { networkOf } from '../outbound/addresses.ts';
import { createAddressLimiter } from './address-limiter.ts';

describe('address limiter', () => {
  test.each([
    ['203.0.113.77', 24, 48, '203.0.113.0/24'],
    ['::ffff:203.0.113.77', 24, 48, '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', 24, 48, '2001:db8:1::/48'],
    ['2001:db8:1:2:3:4:5:6', 32, 64, '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 32, 64, 'fe80::/64'],
    ['203.0.113.77', 20, 64, '203.0.112.0/20'],
    ['nonsense', 24, 48, 'unknown'],
  ])('counts the address %s as its network', (ip, bits4, bits6, network) => {
    expect(networkOf(ip, bits4, bits6)).toBe(network);
  });

  test('shares one limit among the addresses of a network, and gives another network its own', () => {
    const limiter = createAddressLimiter({ perMinute: 1, burst: 1 });
    limiter.count('2001:db8::1');
    expect(() => limiter.refuse('2001:db8::2')).toThrow('rate_limited');
    expect(() => limiter.refuse('2001:db8:0:1::1')).not.toThrow();
  });
});
