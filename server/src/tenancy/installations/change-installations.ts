import { allowAppManagement, appParams, lockApp, type ManagedAppContext } from '../../access/authority/index.ts';
import { fromId, toId } from '../../kit/crypto/ids.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { countDeliveriesOfServers } from '../../webhooks/webhooks/index.ts';
import { cancelInFlightOnServers } from './apply-grant-changes.ts';
import {
  BulkChange,
  type BulkItem,
  BulkResult,
  countOutcomes,
  exampleBulkResult,
  MAX_SERVERS,
  planBulk,
  toOrderedServerUuids,
} from './bulk-change.ts';
import { findInstallationRows, listServerIds, lockServers } from './bulk-store.ts';
import { executePlan } from './change-grants.ts';
import type { InstallationRow } from './installation.ts';
import { planRestrictions } from './plan-restrictions.ts';
import { recordReason, toAuditDetail } from './record-reason.ts';
import { countAffectedDeliveries, executeRestrictionPlan } from './restrict-servers.ts';

export const changeInstallations = operation({
  id: 'changeInstallations',
  route: 'POST /organisations/{organisationId}/apps/{appId}/installation-changes',
  tag: 'Installations',
  summary: 'Change many installations',
  description:
    'Gives many grants one state, all of them or none: of the named servers, or of every server, as a whole or in some scopes. Each grant follows the rules of `setInstallation` and `setInstallationScope`. A grant that cannot have the state is reported and does not affect the others. Revoked grants stay revoked without `includeRevoked` or `from: revoked`. Each changed installation emits one event. After the response, pauses and revocations apply to calls and deliveries. A dry run changes nothing and waits for no lock. In production the operation changes your organisation’s restrictions, and `to` is the effective state afterwards.',
  access: allowAppManagement('installations.change'),
  params: appParams,
  body: BulkChange,
  examples: {
    whatWouldBeResumed: { state: 'authorised', from: 'paused', isDryRun: true },
    pauseOneScopeEverywhere: { state: 'paused', scopes: ['tickets:create'], reason: 'The team is away.' },
  },
  replies: ok('The result for each grant.', BulkResult, { oneChanged: exampleBulkResult }),
  async run(context, { params, body }) {
    const { plane, tenant, audit } = context;
    const { state, scopes, from, includeRevoked, isDryRun = false } = body;
    recordReason(tenant, body.reason);
    const { serverIds, nextCursor } = await selectServers(context, body);
    // One round trip, in this order: every transaction that changes grants locks the server first and then waits for
    // mutations.
    const [, , rows] = await Promise.all([
      !isDryRun && lockServers(tenant, serverIds),
      !isDryRun && lockApp(tenant),
      findInstallationRows(tenant, serverIds),
    ]);
    const { items, deliveries } =
      plane.environment === 'production'
        ? await restrictAll(context, body, serverIds, rows)
        : await changeAll(context, body, serverIds, rows);
    if (!isDryRun && state !== 'authorised') {
      const changed = new Set(items.filter(({ outcome }) => outcome === 'changed').map((item) => item.serverId));
      cancelInFlightOnServers(
        context,
        serverIds.filter((serverId) => !changed.has(toId('srv', serverId))),
      );
    }
    const counts = countOutcomes(items);
    const receiptId = context.receiptId();
    if (!isDryRun) {
      const selection = {
        state,
        scopes: scopes ?? null,
        from: from ?? null,
        ...(includeRevoked && { includeRevoked }),
      };
      const detail = { ...selection, ...counts, ...toAuditDetail(body, receiptId) };
      audit('installation.bulk', params.appId, detail);
    }
    return { status: 200, body: { isDryRun, ...counts, deliveries, receiptId, data: items, nextCursor } };
  },
});

interface ServerSelection {
  serverIds: string[];
  nextCursor: string | null;
}

/** Returns the selected servers in the order of the response. */
async function selectServers({ tenant, cursors }: ManagedAppContext, change: BulkChange): Promise<ServerSelection> {
  const { serverIds, cursor, state, scopes = null, from = null, includeRevoked = false } = change;
  if (serverIds) {
    if (cursor === undefined) return { serverIds: toOrderedServerUuids(serverIds), nextCursor: null };
    throw problem('invalid_request', {
      errors: [{ pointer: '/cursor', detail: 'must not be given together with serverIds' }],
    });
  }
  const { open, seal } = cursors({ state, scopes, from, includeRevoked });
  const position = open(cursor, '/cursor');
  const after = position === undefined ? undefined : fromId('srv', position);
  const found = await listServerIds(tenant, after, MAX_SERVERS + 1);
  const shown = found.slice(0, MAX_SERVERS);
  const last = shown.at(-1);
  const isMore = found.length > MAX_SERVERS && last !== undefined;
  return { serverIds: shown, nextCursor: isMore ? seal(toId('srv', last)) : null };
}

interface Outcome {
  items: BulkItem[];
  deliveries: number;
}
type Rows = ReadonlyMap<string, InstallationRow>;

/** Applies the change in the sandbox, where a member acts as the owner of the servers. */
async function changeAll(
  context: ManagedAppContext,
  body: BulkChange,
  serverIds: readonly string[],
  rows: Rows,
): Promise<Outcome> {
  const { state, isDryRun = false } = body;
  const plan = planBulk(body, serverIds, rows);
  const deliveries = isDryRun
    ? await countDeliveriesOfServers(context.tenant, plan.changedGrants, state)
    : (await executePlan(context, plan, state)).deliveries;
  return { items: plan.items, deliveries };
}

/** Applies the change in production, where a member restricts the app or lifts a restriction. */
async function restrictAll(
  context: ManagedAppContext,
  body: BulkChange,
  serverIds: readonly string[],
  rows: Rows,
): Promise<Outcome> {
  const plan = planRestrictions(body, serverIds, rows);
  const deliveries = body.isDryRun
    ? await countAffectedDeliveries(context, plan)
    : await executeRestrictionPlan(context, plan, body.state);
  return { items: plan.items, deliveries };
}
