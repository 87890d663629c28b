import { appendAuditEntry } from '../../access/audit/index.ts';
import type { Transaction } from '../../kit/db/db.ts';
import { operation } from '../../kit/http/operation.ts';
import { holdOrganisation, makeAccessToken, visitor } from '../sessions/index.ts';
import {
  DeviceCode,
  examplePolled,
  hashOfCode,
  INTERVAL_SECONDS,
  PolledDeviceSignIn,
  pending,
} from './device-sign-in.ts';
import { deleteDeviceSignIn, findApprovedIn, type PolledRow, pollByDeviceCode } from './store.ts';

export const pollDeviceSignIn = operation({
  id: 'pollDeviceSignIn',
  method: 'POST',
  path: '/api/device-sign-ins/poll',
  tag: 'Access tokens',
  summary: 'Ask whether somebody has decided',
  description:
    'What a terminal asks again and again, `intervalSeconds` apart. Who asks sooner is told `slow_down` and waits five seconds more from then on. Once it is approved the answer holds the access token, this once; afterwards the code is of no use.',
  access: visitor(),
  body: DeviceCode,
  examples: { aCode: { deviceCode: 'EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleE' } },
  replies: { 200: { description: 'How it stands.', schema: PolledDeviceSignIn, examples: examplePolled } },
  problems: ['quota_exceeded', 'rate_limited'],
  async run({ services, visitor: { address }, requestId }, { body }) {
    services.deviceCodes.refuse(address);
    const polled = await services.db.transaction(async (tx): Promise<PolledDeviceSignIn> => {
      const codeHash = hashOfCode(body.deviceCode);
      // Before the row itself: a membership that ends holds its organisation and then waits for the row, which goes with it.
      const approvedIn = await findApprovedIn(tx, codeHash);
      if (approvedIn !== undefined) await holdOrganisation(tx, approvedIn);
      const row = await pollByDeviceCode(tx, codeHash);
      if (!row) return { ...pending(), state: 'expired_token' };
      const waiting = pending(row.interval_seconds);
      if (row.is_denied) return { ...waiting, state: 'access_denied' };
      if (row.is_too_soon) return { ...waiting, state: 'slow_down' };
      // What was approved in between is redeemed when the terminal asks next.
      if (row.organisation_id !== (approvedIn ?? null)) return waiting;
      return (await redeem(tx, row, { address, requestId, consoleUrl: services.consoleUrl })) ?? waiting;
    });
    if (polled.state === 'expired_token') services.deviceCodes.count(address);
    return { status: 200, body: polled, headers: { 'cache-control': 'no-store' } };
  },
});

/** Undefined while nobody has approved it. The organisation is held. */
async function redeem(
  tx: Transaction,
  row: PolledRow,
  by: { address: string; requestId: string; consoleUrl: string },
): Promise<PolledDeviceSignIn | undefined> {
  const { organisation_id: organisationId, person_id: personId, scope, expires_in_days: expiresInDays } = row;
  if (!organisationId || !personId || !scope || !expiresInDays) return undefined;
  const wish = { organisationId, personId, name: row.device, scope, expiresInDays };
  const created = await makeAccessToken(tx, wish, { ...by, isTerminal: true });
  await deleteDeviceSignIn(tx, row.sign_in_id);
  const { id, kid, owner } = created.accessToken;
  appendAuditEntry(tx, {
    organisationId,
    appId: null,
    actor: { kind: 'person', id: personId, name: owner },
    action: 'access_token.create',
    target: id,
    detail: { kid, scope, expiresInDays, device: row.device },
    requestId: by.requestId,
    clientAddress: by.address,
  });
  return { state: 'approved', intervalSeconds: INTERVAL_SECONDS, ...created };
}
