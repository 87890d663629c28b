import { type UnitOfWork, unitOfWork } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { allowVisitor, issueAccessToken, lockConsoleOrganisation } from '../sessions/index.ts';
import {
  createPendingPoll,
  DeviceCode,
  examplePolled,
  hashDeviceCode,
  INTERVAL_SECONDS,
  PolledDeviceSignIn,
} from './device-sign-in.ts';
import { type DeviceSignInPollRow, deleteDeviceSignIn, findApprovingOrganisation, pollByDeviceCode } from './store.ts';

export const pollDeviceSignIn = operation({
  id: 'pollDeviceSignIn',
  route: 'POST /api/device-sign-ins/poll',
  tag: 'Access tokens',
  summary: "Poll a terminal's sign-in",
  description:
    'A terminal calls this operation every `intervalSeconds`. A terminal that calls earlier gets `slow_down`, and waits five seconds longer from then on. After the approval one response contains the access token; the code is invalid afterwards.',
  access: allowVisitor(),
  body: DeviceCode,
  examples: { aCode: { deviceCode: 'EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleE' } },
  replies: ok('The state of the sign-in.', PolledDeviceSignIn, examplePolled),
  problems: ['quota_exceeded', 'rate_limited'],
  async run({ services, visitor: { address }, workScope }, { body }) {
    services.deviceCodes.refuse(address);
    const polled = await unitOfWork<PolledDeviceSignIn>(services.db, workScope, async (work) => {
      const { tx } = work;
      const codeHash = hashDeviceCode(body.deviceCode);
      // The organisation is locked before the row: a membership that ends locks its organisation and then waits for the
      // row, which is deleted with it.
      const approvedIn = await findApprovingOrganisation(tx, codeHash);
      if (approvedIn !== undefined) await lockConsoleOrganisation(tx, approvedIn);
      const row = await pollByDeviceCode(tx, codeHash);
      if (!row) return { ...createPendingPoll(), state: 'expired_token' };
      const waiting = createPendingPoll(row.interval_seconds);
      if (row.is_denied) return { ...waiting, state: 'access_denied' };
      if (row.is_too_soon) return { ...waiting, state: 'slow_down' };
      // An approval that happened in between is redeemed by the next poll.
      if (row.organisation_id !== (approvedIn ?? null)) return waiting;
      return (await redeem(work, row, { address, consoleUrl: services.consoleUrl })) ?? waiting;
    });
    if (polled.state === 'expired_token') services.deviceCodes.count(address);
    return { status: 200, body: polled, headers: { 'cache-control': 'no-store' } };
  },
});

/** Returns undefined until a person has approved the sign-in. The caller must hold the lock of the organisation. */
async function redeem(
  { tx, audit }: Pick<UnitOfWork, 'tx' | 'audit'>,
  row: DeviceSignInPollRow,
  by: { address: string; consoleUrl: string },
): Promise<PolledDeviceSignIn | undefined> {
  const { organisation_id: organisationId, person_id: personId, scope, expires_in_days: expiresInDays } = row;
  if (!organisationId || !personId || !scope || !expiresInDays) return undefined;
  const input = { organisationId, personId, name: row.device, scope, expiresInDays };
  const created = await issueAccessToken(tx, input, { ...by, isTerminal: true });
  await deleteDeviceSignIn(tx, row.sign_in_id);
  const { id, kid, owner } = created.accessToken;
  const detail = { kid, scope, expiresInDays, device: row.device };
  audit('access_token.create', id, detail, { organisationId, actor: { kind: 'person', id: personId, name: owner } });
  return { state: 'approved', intervalSeconds: INTERVAL_SECONDS, ...created };
}
