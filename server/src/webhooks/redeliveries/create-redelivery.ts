import { allowAppManagement, appParams, createTenantReader } from '../../access/authority/index.ts';
import { created, ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { findEndpointRow } from '../webhooks/index.ts';
import { countMatching, type RedeliveryCount } from './count-matching.ts';
import {
  DEFAULT_RATE,
  exampleRedelivery,
  MAX_UNFINISHED,
  Redelivery,
  RedeliveryInput,
  RedeliveryPreview,
  toRedelivery,
} from './redelivery.ts';
import { firstPosition, invalidRequest, toRedeliveryFilter } from './redelivery-filter.ts';
import { countActive, insertRedelivery, readClock } from './store.ts';

export const createRedelivery = operation({
  id: 'createRedelivery',
  route: 'POST /organisations/{organisationId}/apps/{appId}/redeliveries',
  tag: 'Webhooks',
  summary: 'Redeliver many deliveries',
  description: `Starts a job that redelivers deliveries at a limited rate: deliveries that ended without success, and with the status \`pending\` also those that wait for a retry. A waiting retry becomes due now and stays the same delivery: rate, order and holds of its endpoint still apply. Deliveries that are held, in flight or behind an earlier event of their subject are left out. Call it with \`isDryRun\` first to learn how many deliveries match. The job includes the matching deliveries that ended before its creation and were not redelivered, and the matching retries of deliveries that were created before it. When the job creates a delivery, it checks the access. For a delivery that was skipped or cancelled for another reason than \`filtered\`, it also evaluates the current filter of the endpoint. A refused delivery is recorded as skipped, with the reason. An app can have at most ${MAX_UNFINISHED} running or paused redelivery jobs.`,
  access: allowAppManagement('deliveries.redeliver'),
  params: appParams,
  body: RedeliveryInput,
  examples: {
    howManyFailed: { since: '2026-11-02T08:00:00Z', isDryRun: true },
    allThatFailed: { since: '2026-11-02T08:00:00Z' },
    afterAnOutage: {
      since: '2026-11-02T08:00:00Z',
      endpointId: exampleRedelivery.filter.endpointId,
      statuses: ['failed', 'pending'],
    },
    whatADisabledEndpointMissed: {
      since: '2026-11-02T08:00:00Z',
      until: '2026-11-02T12:00:00Z',
      endpointId: exampleRedelivery.filter.endpointId,
      reason: 'endpoint_disabled',
      ratePerSecond: 20,
    },
  },
  replies: {
    ...ok('A dry run: the deliveries that would be redelivered.', RedeliveryPreview, {
      howMany: {
        total: 1240,
        waiting: 1215,
        isTotalExact: true,
        firstAt: '2026-11-02T08:00:12.071Z',
        lastAt: '2026-11-02T10:14:55.120Z',
        ratePerSecond: 100,
        durationSeconds: 13,
      },
    }),
    ...created('The redelivery job, which is running.', Redelivery, { running: { ...exampleRedelivery, done: 0 } }),
  },
  problems: ['conflict', 'quota_exceeded'],
  async run({ plane, actor, tenant, audit, afterCommit }, { body }) {
    const filter = toRedeliveryFilter(body);
    const ratePerSecond = body.ratePerSecond ?? DEFAULT_RATE;
    if (filter.endpoint_id !== null && !(await findEndpointRow(tenant, filter.endpoint_id))) {
      throw invalidRequest({ pointer: '/endpointId', detail: 'must be an endpoint of this app' });
    }
    const now = await readClock(tenant);
    if (body.isDryRun) {
      // The count runs window by window, on a connection that no revocation waits for.
      const reader = createTenantReader(plane.db.readerOf(actor.organisationId), tenant.appId);
      return afterCommit(async () => {
        return { status: 200, body: toPreview(await countMatching(reader, filter, now), ratePerSecond) };
      });
    }
    const { total, waiting, isTotalExact } = await countMatching(tenant, filter, now);
    if (total === 0) {
      const detail = isTotalExact
        ? 'No delivery matches the filter, or all matching deliveries were redelivered since.'
        : 'No matching delivery was found before the count timed out. Choose a shorter period.';
      throw problem('conflict', { detail });
    }
    if ((await countActive(tenant)) >= MAX_UNFINISHED) {
      const detail = `An app can have at most ${MAX_UNFINISHED} running or paused redelivery jobs. Wait until one ends, or cancel one.`;
      throw problem('quota_exceeded', { detail });
    }
    const row = await insertRedelivery(tenant, {
      ...filter,
      ...firstPosition(filter),
      rate_per_second: ratePerSecond,
      total,
      is_total_exact: isTotalExact,
      created_by: actor.name,
      created_at: now,
    });
    const redelivery = toRedelivery(row);
    audit('redelivery.create', redelivery.id, { ...redelivery.filter, ratePerSecond, total, waiting });
    return { status: 201, body: redelivery };
  },
});

const toPreview = ({ total, waiting, isTotalExact, firstAt, lastAt }: RedeliveryCount, ratePerSecond: number) => ({
  total,
  waiting,
  isTotalExact,
  firstAt: firstAt?.toISOString() ?? null,
  lastAt: lastAt?.toISOString() ?? null,
  ratePerSecond,
  durationSeconds: Math.ceil(total / ratePerSecond),
});
