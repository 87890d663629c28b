// The parts of a world beyond its servers: the same bytes for the same server, in every version, and within the contract.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { schemaErrors } from '../../kit/schema.ts';
import { syntheticPublications } from '../publications/index.ts';
import { Publication, toPublication } from '../publications/publication.ts';
import { syntheticRoadmap } from '../roadmap/index.ts';
import { RoadmapItem, toRoadmapItem } from '../roadmap/roadmap-item.ts';

const SERVER = { serverId: '01856a3c-0000-7000-8000-000000000001', createdAt: '2023-01-01T00:00:00.000Z' };
const publications = syntheticPublications(SERVER, 200);
const items = syntheticRoadmap(SERVER, 200);
const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
const countOf = <K extends string>(values: K[]): Partial<Record<K, number>> =>
  Object.fromEntries(
    [...new Set(values)].map((value) => [value, values.filter((one) => one === value).length]),
  ) as Partial<Record<K, number>>; // the keys come from the values

describe.each([
  ['publications', publications, (count: number) => syntheticPublications(SERVER, count), '1e3b9199e94529a4'],
  ['roadmap items', items, (count: number) => syntheticRoadmap(SERVER, count), 'fac9591412779d3a'],
] as const)('%s', (_, made, make, hash) => {
  test('are the same for the same server, byte for byte, today and in later versions', () => {
    expect(hashOf(made)).toBe(hash);
    expect(make(200)).toEqual(made);
    expect(make(7)).toEqual(made.slice(0, 7));
    expect(make(0)).toEqual([]);
  });

  test('have ids in UUIDv7 layout, all different, in the order in which they were made', () => {
    const ids = made.map((one) => ('publicationId' in one ? one.publicationId : one.roadmapItemId));
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

test('publications fit the contract, and only a draft has no moment of publication', () => {
  for (const { publicationId, serverId, bodyMarkdown, publishedAt, createdAt, ...rest } of publications) {
    const shown = toPublication({
      ...rest,
      publication_id: publicationId,
      server_id: serverId,
      body_markdown: bodyMarkdown,
      published_at: publishedAt === null ? null : new Date(publishedAt),
      created_at: new Date(createdAt),
    });
    expect(schemaErrors(Publication, shown)).toEqual([]);
    expect(shown.publishedAt === null).toBe(shown.status === 'draft');
  }
  expect(countOf(publications.map((one) => one.status)).published).toBeGreaterThan(80);
  expect(new Set(publications.map((one) => one.status)).size).toBe(4);
});

test('roadmap items fit the contract, and only what is meant to be done has a quarter', () => {
  for (const { roadmapItemId, serverId, voteCount, targetQuarter, createdAt, ...rest } of items) {
    const shown = toRoadmapItem({
      ...rest,
      roadmap_item_id: roadmapItemId,
      server_id: serverId,
      vote_count: voteCount,
      target_quarter: targetQuarter,
      created_at: new Date(createdAt),
    });
    expect(schemaErrors(RoadmapItem, shown)).toEqual([]);
    expect(shown.targetQuarter === null).toBe(shown.status === 'idea' || shown.status === 'declined');
  }
  expect(new Set(items.map((one) => one.status)).size).toBe(5);
});
