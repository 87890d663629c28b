// The synthetic world: equal inputs give equal bytes on any machine and in any version.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { schemaErrors } from '../../kit/schema.ts';
import { Server, toServer } from './server.ts';
import { type SyntheticServer, syntheticServers } from './synthetic-servers.ts';

const APP = '0188bac7-4afa-78aa-bc3b-bd1eef28d881';
const hashOf = (servers: readonly SyntheticServer[]): string =>
  createHash('sha256').update(JSON.stringify(servers)).digest('hex');

describe('a world', () => {
  const world = syntheticServers(APP, 'small', 50);

  test('is the same for the same app and seed, byte for byte, today and in later versions', () => {
    expect(hashOf(world)).toBe('643daf5aa31dfdab222497ca812c5bc4780369d3f129f63029c2b6b7d7813f36');
    expect(syntheticServers(APP, 'small', 50)).toEqual(world);
  });

  test('is another for another app or seed', () => {
    const [first] = world;
    expect(syntheticServers('0188bac7-4afa-78aa-bc3b-bd1eef28d882', 'small', 1)[0]).not.toEqual(first);
    expect(syntheticServers(APP, 'other', 1)[0]).not.toEqual(first);
  });

  test('a larger one begins with the smaller one', () => {
    expect(syntheticServers(APP, 'small', 5)).toEqual(world.slice(0, 5));
  });

  test('has ids in UUIDv7 layout that carry the founding date, all different and in its order', () => {
    for (const { serverId, createdAt } of world) {
      expect(serverId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Number.parseInt(serverId.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.parse(createdAt));
    }
    const ids = world.map((server) => server.serverId);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);
  });

  test('two apps never share an id', () => {
    const other = syntheticServers('0188bac7-4afa-78aa-bc3b-bd1eef28d882', 'small', 50);
    const ids = new Set(world.map((server) => server.serverId));
    expect(other.filter((server) => ids.has(server.serverId))).toEqual([]);
  });

  test('slugs are told apart and fit into an address', () => {
    const slugs = syntheticServers(APP, 'large', 2_000).map((server) => server.slug);
    expect(new Set(slugs).size).toBe(slugs.length);
    for (const slug of slugs) expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  test('each of its servers fits the contract, and points at nothing that exists', () => {
    for (const server of world) {
      const shown = toServer({
        server_id: server.serverId,
        name: server.name,
        slug: server.slug,
        description: server.description,
        icon_url: server.iconUrl,
        locale: server.locale,
        timezone: server.timezone,
        member_count: server.memberCount,
        created_at: new Date(server.createdAt),
        installation_id: APP,
        installation_state: 'authorised',
        scopes: [],
      });
      expect(schemaErrors(Server, shown)).toEqual([]);
      expect(new URL(server.iconUrl).hostname).toMatch(/\.invalid$/);
      expect(Intl.getCanonicalLocales(server.locale)).toEqual([server.locale]);
      expect(() => new Intl.DateTimeFormat('en', { timeZone: server.timezone })).not.toThrow();
    }
  });

  test('of nothing is empty', () => {
    expect(syntheticServers(APP, 'small', 0)).toEqual([]);
  });
});
