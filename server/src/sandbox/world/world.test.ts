// The content of each preset: the same bytes for the same spec, on any machine and in any version, and valid by the
// contract.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Tenant } from '../../access/authority/index.ts';
import * as resources from '../../access/contracts/index.ts';
import { schemaErrors } from '../../kit/http/schema.ts';
import type { SyntheticObject } from '../../resources/objects/index.ts';
import { Publication, toPublication } from '../../resources/publications/publication.ts';
import { RoadmapItem, toRoadmapItem } from '../../resources/roadmap/roadmap-item.ts';
import { Server, toServer } from '../../resources/servers/server.ts';
import { HISTORY_ENDS_MS } from '../../resources/synthetic.ts';
import { Ticket, toTicket } from '../../resources/tickets/ticket.ts';
import { toWorkflow, Workflow } from '../../resources/workflows/workflow.ts';
import { fillWorld, planWorld } from './make-world.ts';
import { PRESETS, type Preset } from './world.ts';

const APP = '0188bac7-4afa-78aa-bc3b-bd1eef28d881';
const DAY_MS = 86_400_000;

type ObjectOf<R, Id extends string> = SyntheticObject & Omit<R, 'id'> & Record<Id, string>;
type WorkflowObject = ObjectOf<Workflow, 'workflowId'> & { steps: string[]; failingStep: number | null };

/** The hashes are of workflows whose identifiers come last. */
const idsLast = ({ workflowId, serverId, createdAt, ...rest }: WorkflowObject) => ({
  ...rest,
  workflowId,
  serverId,
  createdAt,
});

/** Yields the content of a world server by server, so that a large one is never in memory as a whole. */
function* objectsOf(preset: Preset) {
  const plan = planWorld(APP, { preset, seed: 'a test', epoch: 3 });
  for (const server of plan.servers) {
    const [publications, roadmap, workflows, tickets] = [
      plan.objectsOf(resources.publications, server) as ObjectOf<Publication, 'publicationId'>[],
      plan.objectsOf(resources.roadmapItems, server) as ObjectOf<RoadmapItem, 'roadmapItemId'>[],
      plan.objectsOf(resources.workflows, server) as WorkflowObject[],
      plan.objectsOf(resources.tickets, server) as ObjectOf<Ticket, 'ticketId'>[],
    ]; // the declarations are checked at the start
    yield { server, publications, roadmap, workflows: workflows.map(idsLast), tickets };
  }
}

function hashOf(preset: Preset): string {
  const hash = createHash('sha256');
  for (const objects of objectsOf(preset)) hash.update(JSON.stringify(objects));
  return hash.digest('hex').slice(0, 16);
}

// The 230,000 objects of the preset large take 15 s of processor time, and the limit only ends a test that hangs.
const LARGE_LIMIT_MS = 180_000;

describe('the content of a preset is the same in every version', () => {
  test.each<[Preset, string]>([
    ['empty', 'e3b0c44298fc1c14'],
    ['small', '7a64beba0ea9444c'],
    ['busy', 'a56884f7f5a215c1'],
    ['unicode', '6f094ae257dd7f85'],
    ['large', '3a1bdb9474f2a1b8'],
  ])('the preset %s has the known hash', { timeout: LARGE_LIMIT_MS }, (preset, hash) => {
    expect(hashOf(preset)).toBe(hash);
  });
});

// The rows as Postgres returns them, in the form that the API shows.
function* shownOf(preset: Preset) {
  for (const { server, publications, roadmap, workflows, tickets } of objectsOf(preset)) {
    const installation = { installation_id: server.serverId, installation_state: 'authorised' as const, scopes: [] };
    const own = { server_id: server.serverId, icon_url: server.iconUrl, member_count: server.memberCount };
    const created_at = new Date(server.createdAt);
    yield [Server, toServer({ ...server, ...own, ...installation, created_at })] as const;
    for (const one of publications) {
      const published_at = one.publishedAt === null ? null : new Date(one.publishedAt);
      const ids = { publication_id: one.publicationId, server_id: one.serverId, body_markdown: one.bodyMarkdown };
      const shown = toPublication({ ...one, ...ids, published_at, created_at: new Date(one.createdAt) });
      expect(shown.publishedAt === null).toBe(shown.status === 'draft');
      yield [Publication, shown] as const;
    }
    for (const one of roadmap) {
      const ids = { roadmap_item_id: one.roadmapItemId, server_id: one.serverId };
      const rest = {
        vote_count: one.voteCount,
        target_quarter: one.targetQuarter,
        created_at: new Date(one.createdAt),
      };
      const shown = toRoadmapItem({ ...one, ...ids, ...rest });
      expect(shown.targetQuarter === null).toBe(shown.status === 'idea' || shown.status === 'declined');
      yield [RoadmapItem, shown] as const;
    }
    for (const one of workflows) {
      const ids = { workflow_id: one.workflowId, server_id: one.serverId, input_schema: one.inputSchema };
      const rest = { failing_step: one.failingStep, created_at: new Date(one.createdAt) };
      yield [Workflow, toWorkflow({ ...one, ...ids, ...rest })] as const;
    }
    for (const one of tickets) {
      const ids = { ticket_id: one.ticketId, server_id: one.serverId, metadata: {}, event_sequence: 0 };
      yield [Ticket, toTicket({ ...one, ...ids, created_at: new Date(one.createdAt) })] as const;
    }
  }
}

describe.each(
  PRESETS.filter((preset) => preset !== 'empty' && preset !== 'large'),
)('the content of the preset %s', (preset) => {
  test('a preset fits the contract, has unique ids, and contains no time in the future', () => {
    const ids = new Set<string>();
    let count = 0;
    for (const [schema, shown] of shownOf(preset)) {
      count += 1;
      ids.add(shown.id);
      expect([shown.id, schemaErrors(schema, shown)]).toEqual([shown.id, []]);
      expect(Date.parse(shown.createdAt)).toBeLessThan(HISTORY_ENDS_MS);
      if ('publishedAt' in shown && shown.publishedAt !== null) {
        expect(Date.parse(shown.publishedAt)).toBeLessThan(HISTORY_ENDS_MS + 3 * DAY_MS);
      }
    }
    expect([ids.size, count > 50]).toEqual([count, true]);
  });

  test('a preset contains no real address or domain', () => {
    for (const [, shown] of shownOf(preset)) {
      const text = JSON.stringify(shown);
      const hosts = [...text.matchAll(/https?:\/\/([^/"\s)]+)/g)].map(([, host]) => host ?? '');
      expect(hosts.filter((host) => !/(^|\.)(invalid|example|test)$/.test(host))).toEqual([]);
      expect(text).not.toMatch(/[\w.+-]+@[\w-]+\.\w|\+\d[\d ()-]{6,}/);
    }
  });
});

test('the preset unicode contains text that breaks naive programs', () => {
  const text = [...shownOf('unicode')].map(([, shown]) => JSON.stringify(shown)).join('');
  const held = {
    rightToLeft: /[\u0590-\u05ff].*[\u0600-\u06ff]|[\u0600-\u06ff].*[\u0590-\u05ff]/,
    joinedEmoji: /\p{Emoji}\u200d\p{Emoji}/u,
    combiningMarks: /\p{L}\p{M}{2,}|\p{L}\p{M}/u,
    chinese: /\p{Script=Han}/u,
    kana: /\p{Script=Hiragana}/u,
    hangul: /\p{Script=Hangul}/u,
    astral: /[\u{1d400}-\u{1d7ff}]/u,
    longWord: /\p{L}{60,}/u,
  };
  for (const [name, pattern] of Object.entries(held)) expect([name, pattern.test(text)]).toEqual([name, true]);
  expect(text.isWellFormed()).toBe(true);
});

test('if rows cannot be stored, a world fails with that error, and no later statement begins', async () => {
  let statements = 0;
  const query = async (): Promise<[]> => {
    statements += 1;
    if (statements === 3) throw new Error('the disk is full');
    return [];
  };
  const tenant = { appId: APP, query } as unknown as Tenant; // the only function that is used before the failure
  const plan = planWorld(APP, { preset: 'busy', seed: 'a test', epoch: 0 });
  await expect(fillWorld(tenant, plan, new Set())).rejects.toThrow('the disk is full');
  expect(statements).toBe(3);
});
