// The hosts of a database URL, and the order in which they are tried. test/standby.test.ts connects to real servers.
import { expect, test } from 'vitest';
import { DatabaseUnavailable } from './db-errors.ts';
import { DatabaseHosts, poolerFixOf, splitHosts } from './primary.ts';

test.each([
  [
    'postgres://u:p@a:5432,b/db?sslmode=disable',
    ['postgres://u:p@a:5432/db?sslmode=disable', 'postgres://u:p@b/db?sslmode=disable'],
  ],
  ['postgresql://a,b,c', ['postgresql://a', 'postgresql://b', 'postgresql://c']],
  ['postgres://u:p,@[::1]:1,[::2]:2/db', ['postgres://u:p,@[::1]:1/db', 'postgres://u:p,@[::2]:2/db']],
  ['postgres://u:p,q@a:5432/db', ['postgres://u:p,q@a:5432/db']],
  ['postgres://a/db?options=-c%20x,y', ['postgres://a/db?options=-c%20x,y']],
])('%s has a URL for each host', (url, urls) => {
  expect(splitHosts(url)).toEqual(urls);
});

const lost = new DatabaseUnavailable('lost');

/** Opens a connection as a pool does. `accept` rejects if the host does not accept it. */
const connectWith = <T>(hosts: DatabaseHosts, accept: (url: string) => Promise<T>): Promise<T> =>
  hosts.connect(async () => {
    const { url } = hosts;
    try {
      return await accept(url);
    } catch (error) {
      hosts.leave(url, error);
      throw error;
    }
  });

test('the next connection begins with the host that accepted the last one', async () => {
  const hosts = new DatabaseHosts('postgres://a,b,c');
  const tried: string[] = [];
  const accept = (url: string): Promise<string> => {
    tried.push(url);
    return url === 'postgres://c' ? Promise.resolve(url) : Promise.reject(lost);
  };
  expect(await connectWith(hosts, accept)).toBe('postgres://c');
  expect(await connectWith(hosts, accept)).toBe('postgres://c');
  expect(tried).toEqual(['postgres://a', 'postgres://b', 'postgres://c', 'postgres://c']);
});

test('each host is tried once if none accepts', async () => {
  const hosts = new DatabaseHosts('postgres://a,b');
  const tried: string[] = [];
  const accept = (url: string): Promise<never> => {
    tried.push(url);
    return Promise.reject(lost);
  };
  await expect(connectWith(hosts, accept)).rejects.toBe(lost);
  expect(tried).toEqual(['postgres://a', 'postgres://b']);
});

test('connections that fail together move on by one host', async () => {
  const hosts = new DatabaseHosts('postgres://a,b,c');
  const accept = (url: string): Promise<string> =>
    url === 'postgres://b' ? Promise.resolve(url) : Promise.reject(lost);
  expect(await Promise.all([connectWith(hosts, accept), connectWith(hosts, accept)])).toEqual([
    'postgres://b',
    'postgres://b',
  ]);
});

test('a late failure of an earlier host does not leave the current one', () => {
  const hosts = new DatabaseHosts('postgres://a,b,c');
  hosts.leave('postgres://a', lost);
  hosts.leave('postgres://a', lost);
  expect(hosts.url).toBe('postgres://b');
});

test('a refused login does not leave the host', () => {
  const hosts = new DatabaseHosts('postgres://a,b');
  hosts.leave('postgres://a', new Error('password authentication failed'));
  expect(hosts.url).toBe('postgres://a');
});

test.each([
  ['a wrong password', new Error('password authentication failed')],
  ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
])('%s is not tried on another host', async (_, failure) => {
  const hosts = new DatabaseHosts('postgres://a,b');
  let tries = 0;
  await expect(
    connectWith(hosts, () => {
      tries += 1;
      return Promise.reject(failure);
    }),
  ).rejects.toBe(failure);
  expect(tries).toBe(1);
});

test.each([
  'unsupported startup parameter: options', // PgBouncer before 1.20
  'unsupported startup parameter in options: role', // and later
])('the error of a pooler has a fix: %s', (message) => {
  expect(poolerFixOf(new Error(message))).toContain('Connect directly to Postgres.');
});

test('another error of the start of a connection has no fix for a pooler', () => {
  expect(poolerFixOf(new Error('unrecognized configuration parameter "role"'))).toBeUndefined();
});
