// Extends the lease of each environment and acts on the responses. An environment that was restored gets every status
// again. A Console that lacks an audit entry which an environment remembers closes.

import { findNewestChainHead, hasChainHead } from '../../access/audit/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { schemaErrors } from '../../kit/http/schema.ts';
import type { OrganisationStatusServices } from '../organisation-status/index.ts';
import {
  closeConsole,
  findConsoleEpoch,
  findPlaneMemory,
  forgetReceipts,
  isOlder,
  listUnconfirmed,
  listUnreported,
  type PlaneMemory,
  setPlaneMemory,
  type UnconfirmedRow,
} from './console-lease-store.ts';
import { ExtendedLease, MAX_UNCONFIRMED } from './lease.ts';
import { toHead } from './to-head.ts';

const EVERY_MS = 15_000;

export function startStatusLease(services: OrganisationStatusServices, onError: (error: unknown) => void): Loop {
  return startLoop(() => announceLeases(services, onError), EVERY_MS, onError);
}

/** Announces the lease to each environment. An unreachable environment delays no other. */
export async function announceLeases(
  services: OrganisationStatusServices,
  onError: (error: unknown) => void,
): Promise<void> {
  for (const { name } of services.environments) {
    // The second announcement extends the lease of a reopened environment for which no report is due.
    const isReopened = await announce(services, name, onError).catch(onError);
    if (isReopened) await announce(services, name, onError).catch(onError);
  }
}

/** Wakes the announcer when the last status or approval for which a reopened environment waits is confirmed. */
export async function announceReported({ db, environments }: OrganisationStatusServices, lease: Loop): Promise<void> {
  for (const { name } of environments) {
    const memory = await findPlaneMemory(db, name);
    if (memory?.isReporting && (await listUnreported(db, name, 1)).length === 0) return lease.wake();
  }
}

type EnvironmentName = OrganisationStatusServices['environments'][number]['name'];

// Reports finish within seconds after a reopening. A report that still fails then needs an operator.
const LATE_AFTER_SECONDS = 60;
const MAX_NAMED_ORGANISATIONS = 5;

/** Returns whether the environment was reopened since the last announcement. */
async function announce(
  services: OrganisationStatusServices,
  environment: EnvironmentName,
  onError: (error: unknown) => void,
): Promise<boolean> {
  const { db } = services;
  const memory = await findPlaneMemory(db, environment);
  const unreported = memory?.isReporting ? await listUnreported(db, environment, MAX_NAMED_ORGANISATIONS) : [];
  const isReporting = unreported.length > 0;
  const since = memory?.forgottenAt ?? null;
  let extended: ExtendedLease | undefined;
  let after: string | undefined;
  do {
    const page = await listUnconfirmed(db, environment, { after, since, limit: MAX_UNCONFIRMED });
    after = page.length === MAX_UNCONFIRMED ? page.at(-1)?.organisation_id : undefined;
    // Without an epoch the environment suspends the organisations of the page and does not extend the lease. Only the
    // last page extends the lease.
    const mayExtend = after === undefined && !isReporting;
    extended = await exchange(services, environment, { memory, page, mayExtend });
    if (!extended) return false;
  } while (after !== undefined && extended.restoreEpoch === memory?.restoreEpoch);
  const { restoreEpoch, head, remembered } = extended;
  if (remembered && !(await hasChainHead(db, toHead(remembered)))) {
    await closeConsole(db);
    return false;
  }
  const isReopened = restoreEpoch !== memory?.restoreEpoch;
  await setPlaneMemory(db, environment, {
    restoreEpoch,
    // An announcement without an epoch compared no head, so the compared one stays.
    head: isReporting && !isReopened ? (memory?.head ?? null) : head,
    checkedHash: remembered?.hash ?? null,
    forgottenAt: isReopened ? await forgetReceipts(db, environment) : since,
    isReporting: isReopened || isReporting,
  });
  if (isReporting && !isReopened && (await isOlder(db, since, LATE_AFTER_SECONDS)))
    onError(lateReports(environment, unreported));
  return isReopened;
}

const lateReports = (environment: EnvironmentName, organisationIds: readonly string[]): Error => {
  const names = organisationIds.map((id) => toId('org', id)).join(', ');
  return new Error(
    `The ${environment} was reopened and stays closed: it has not confirmed each status and approval, for example of ${names}.`,
  );
};

async function exchange(
  { db, askPlanes }: OrganisationStatusServices,
  environment: EnvironmentName,
  { memory, page, mayExtend }: { memory: PlaneMemory | undefined; page: readonly UnconfirmedRow[]; mayExtend: boolean },
): Promise<ExtendedLease | undefined> {
  const newest = await findNewestChainHead(db);
  const lease = {
    restoreEpoch: mayExtend ? (memory?.restoreEpoch ?? null) : null,
    consoleEpoch: await findConsoleEpoch(db),
    head: newest ? { ...newest, organisationId: toId('org', newest.organisationId) } : null,
    checkedHash: memory?.checkedHash ?? null,
    remembered: memory?.head ?? null,
    unconfirmed: page.map((row) => ({ organisationId: toId('org', row.organisation_id), forSeconds: row.for_seconds })),
  };
  const call = { method: 'PUT', path: '/console/status-lease', body: lease, environment } as const;
  const [answer] = await askPlanes('console', call);
  if (answer?.status !== 200) return undefined;
  const extended: unknown = JSON.parse(answer.body);
  const errors = schemaErrors(ExtendedLease, extended);
  if (errors.length > 0)
    throw new Error(`The ${environment} returned a lease that does not match the schema: ${JSON.stringify(errors)}`);
  return extended as ExtendedLease; // checked against the schema above
}
