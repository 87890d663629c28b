// Servers of a synthetic world. Equal inputs return equal bytes on any machine and in any version.
import { describe, expect, test } from 'vitest';
import { HISTORY_ENDS_MS } from '../synthetic.ts';
import { syntheticServers, type WorldOrigin } from './synthetic-servers.ts';

const WORLD: WorldOrigin = { appId: '0188bac7-4afa-78aa-bc3b-bd1eef28d881', seed: 'small', epoch: 0, script: 'plain' };

describe('the servers of a world', () => {
  const world = syntheticServers(WORLD, 50);

  test.each([
    ['app', { appId: '0188bac7-4afa-78aa-bc3b-bd1eef28d882' }],
    ['seed', { seed: 'other' }],
    ['epoch', { epoch: 1 }],
  ])('differ for another %s, without a shared id', (_, change) => {
    const other = syntheticServers({ ...WORLD, ...change }, 50);
    const ids = new Set(world.map((server) => server.serverId));
    expect(other.filter((server) => ids.has(server.serverId))).toEqual([]);
    expect(other.map((server) => server.memberCount)).not.toEqual(world.map((server) => server.memberCount));
  });

  test('of a larger world begin with those of the smaller world', () => {
    expect(syntheticServers(WORLD, 5)).toEqual(world.slice(0, 5));
    expect(syntheticServers(WORLD, 0)).toEqual([]);
  });

  test.each([
    'plain',
    'unicode',
  ] as const)('of a world of ten thousand (%s) have UUIDv7 ids with the creation date, in its order and never in the future', (script) => {
    const large = syntheticServers({ ...WORLD, script }, 10_000);
    for (const { serverId, createdAt } of large) {
      expect(serverId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Number.parseInt(serverId.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.parse(createdAt));
      expect(Date.parse(createdAt)).toBeLessThan(HISTORY_ENDS_MS);
    }
    const ids = large.map((server) => server.serverId);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);
    const slugs = large.map((server) => server.slug);
    expect(new Set(slugs).size).toBe(slugs.length);
    expect(slugs.filter((slug) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug))).toEqual([]);
  });
});
