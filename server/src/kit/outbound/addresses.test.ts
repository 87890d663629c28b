// Which addresses and URLs may be called: only public unicast, in any spelling.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileRules, isAllowedAddress, isPublicAddress, refuseUrl } from './addresses.ts';

const NOT_PUBLIC = `
  0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 168.63.129.16 169.254.169.254
  172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.1.1
  192.175.48.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
  :: ::1 ::8.8.8.8 ::127.0.0.1 ::808:808 ::ffff:127.0.0.1 ::ffff:7f00:1 0:0:0:0:0:ffff:a00:1 ::ffff:168.63.129.16
  ::ffff:0:8.8.8.8 64:ff9b::127.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b::168.63.129.16 64:ff9b:1::808:808 100::1
  2001::1 2001:0:808:808::1 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1::1 2002:808:808::1 3fff::1
  4000::1 5f00::1 8000::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 2606:4700::1111%eth0 fec0::1 ff02::1
  127.1 2130706433 0x7f000001 017700000001 8.8 localhost example.com 8.8.8.8:443 [::1]`
  .trim()
  .split(/\s+/);

const PUBLIC = `8.8.8.8 1.1.1.1 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 192.0.1.1 198.17.0.1 198.20.0.1
  223.255.255.255 2606:4700:4700::1111 2a00:1450:4001::1 2001:4860:4860::8888 ::ffff:8.8.8.8 64:ff9b::8.8.8.8`.split(
  /\s+/,
);

describe('isPublicAddress', () => {
  test.each([...NOT_PUBLIC, ''])('%s is not public', (ip) => expect(isPublicAddress(ip)).toBe(false));
  test.each(PUBLIC)('%s is public', (ip) => expect(isPublicAddress(ip)).toBe(true));

  test('an IPv4 address gets the same result bare, mapped and behind NAT64', () => {
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        expect(isPublicAddress(`::ffff:${ip}`)).toBe(isPublicAddress(ip));
        expect(isPublicAddress(`64:ff9b::${ip}`)).toBe(isPublicAddress(ip));
        expect(isPublicAddress(`::${ip}`)).toBe(false);
      }),
    );
  });

  test('any text gets a result without an exception', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.ipV6(), fc.ipV4Extended()), (text) => void isPublicAddress(text)));
  });
});

describe('isAllowedAddress', () => {
  const rules = compileRules({ allowHosts: [], allowCidrs: ['10.1.0.0/16', 'fd00::/8'] });

  test("the operator's ranges are allowed, in mapped spelling too, and nothing else", () => {
    for (const ip of ['10.1.2.3', '::ffff:10.1.2.3', 'fd12::1', '8.8.8.8']) {
      expect(isAllowedAddress(ip, rules, false), ip).toBe(true);
    }
    for (const ip of ['10.2.0.1', '127.0.0.1', 'fc00::1', '169.254.169.254', '']) {
      expect(isAllowedAddress(ip, rules, false), ip).toBe(false);
    }
  });

  test('a listed host may be on loopback, but on no other private address', () => {
    for (const ip of ['127.0.0.1', '::1']) expect(isAllowedAddress(ip, rules, true), ip).toBe(true);
    for (const ip of ['192.168.0.1', '169.254.169.254', '0.0.0.0']) {
      expect(isAllowedAddress(ip, rules, true), ip).toBe(false);
    }
  });
});

const LOOPBACK_URLS = `https://127.0.0.1 https://127.1 https://2130706433 https://0x7f000001 https://0x7f.1
  https://017700000001 https://0177.0.0.1 https://127.0.0.1. https://127%2e0.0.1 https://１２７.0.0.1 https://[::1]
  https://[0:0:0:0:0:0:0:1] https://[::ffff:127.0.0.1] https://[::ffff:7f00:1] https://[::127.0.0.1] https://0.0.0.0
  https://0 https://localhost https://LOCALHOST https://localhost. https://a.localhost https://[::]
  https://169.254.169.254/latest/meta-data https://168.63.129.16 https://[fd00:ec2::254] http://127.0.0.1:4020
  https:127.0.0.1 https:\\\\127.0.0.1 https://127.0.0.1:443`.split(/\s+/);

describe('refuseUrl', () => {
  const none = { allowHosts: [] };
  const listed = { allowHosts: ['127.0.0.1:4020', 'localhost:4021', '[::1]:4022', 'demo.test:80'] };

  test.each(LOOPBACK_URLS)('refuses %s for its address', (url) => {
    expect(refuseUrl(url, none)).toMatch(/^The URL must lead to a public address\./);
  });

  const advised = { ...none, advice: { loopback: 'Run a listener.', private: 'Open a range.' } };

  test.each([
    ['https://127.0.0.1', 'Run a listener.'],
    ['https://[::1]', 'Run a listener.'],
    ['https://[::ffff:127.0.0.1]', 'Run a listener.'],
    ['https://localhost:3000/hook', 'Run a listener.'],
    ['https://a.localhost.', 'Run a listener.'],
    ['https://10.0.0.5', 'Open a range.'],
    ['https://192.168.0.1', 'Open a range.'],
    ['https://[::ffff:172.16.0.1]', 'Open a range.'],
    ['https://100.64.0.1', 'Open a range.'],
    ['https://[fd00:ec2::254]', 'Open a range.'],
  ])('gives for %s the advice of the rules: %s', (url, advice) =>
    expect(refuseUrl(url, advised)).toBe(`The URL must lead to a public address. ${advice}`));

  test.each([
    'https://169.254.169.254',
    'https://168.63.129.16',
    'https://0.0.0.0',
    'https://224.0.0.1',
  ])('gives for %s no advice, because it is never wanted', (url) =>
    expect(refuseUrl(url, advised)).toBe('The URL must lead to a public address.'));

  test.each([
    ['http://example.com/', 'https://'],
    ['ftp://example.com/', 'https://'],
    ['javascript:alert(1)', 'https://'],
    ['https://user@example.com/', 'user name'],
    ['https://:pw@example.com/', 'password'],
    ['https://example.com/#part', 'fragment'],
    ['https://example.com/#', 'fragment'],
    ['https://exam\nple.com/', 'not valid'],
    [' https://example.com/', 'not valid'],
    ['https://[fe80::1%25eth0]/', 'not valid'],
    ['https://[fe80::1%eth0]/', 'not valid'],
    ['https://', 'not valid'],
    ['', 'not valid'],
    ['https://example.com:22/', 'Port 22'],
    ['https://8.8.8.8:465/', 'Port 465'],
    [`https://example.com/${'a'.repeat(2048)}`, 'longer than 2048'],
    [`https://${'a.'.repeat(122)}example.com/`, 'host name is longer than 253'],
  ])('refuses %s with a reason', (url, reason) => expect(refuseUrl(url, none)).toContain(reason));

  test.each([
    'https://example.com',
    'https://example.com:8443/a?b=c',
    'https://müller.example/',
    'https://8.8.8.8/',
  ])('accepts %s', (url) => expect(refuseUrl(url, none)).toBeUndefined());

  test('accepts a listed host and port in any spelling, and refuses other hosts and ports', () => {
    const fine = ['http://127.0.0.1:4020/x', 'http://127.1:4020', 'http://localhost:4021', 'http://LOCALHOST.:4021'];
    for (const url of [...fine, 'http://[::1]:4022', 'http://demo.test/', 'https://127.0.0.1:4020']) {
      expect(refuseUrl(url, listed), url).toBeUndefined();
    }
    const others = ['http://127.0.0.1:4021', 'http://127.0.0.1', 'http://127.0.0.2:4020', 'http://localhost:4020'];
    for (const url of [...others, 'http://[::ffff:127.0.0.1]:4020', 'http://demo.test:81', 'http://a.demo.test/']) {
      expect(refuseUrl(url, listed), url).toBeTypeOf('string');
    }
  });

  test('a malformed rule is refused immediately', () => {
    for (const entry of ['127.0.0.1', 'a:b', 'http://a.test:80', 'a.test:99999', '*:80']) {
      expect(() => compileRules({ allowHosts: [entry] }), entry).toThrow('host:port');
    }
    expect(() => compileRules({ allowHosts: [], allowCidrs: ['10.0.0.0'] })).toThrow('CIDR');
  });
});
