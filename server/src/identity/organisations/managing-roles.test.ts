// Owners and admins can create production keys: giving one of these roles requires a fresh second factor, and the
// owners receive a mail.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Answer } from '../../../test/app.ts';
import { startConsole, type TestConsole } from '../../../test/console-app.ts';
import { foundOrganisation, type JoinedMember, type TestOrganisation } from '../../../test/organisation.fixture.ts';
import { codeOf, enrolSecondFactor } from '../../../test/second-factor.fixture.ts';
import { localLink } from '../../governance/environments/index.ts';
import { secret } from '../../kit/crypto/secret.ts';
import { createManagement } from '../../listeners/sandbox-management.ts';

let withProduction: TestConsole;
let sandboxOnly: TestConsole;
beforeAll(async () => {
  sandboxOnly = await startConsole('local');
  // These operations never call the environment.
  const link = localLink(createManagement(sandboxOnly.plane.plane, () => {}));
  const managementKey = secret('a management key that signs nothing here');
  withProduction = await startConsole('local', { production: { environment: 'production', managementKey, link } });
});
afterAll(async () => {
  await withProduction.close();
  await sandboxOnly.close();
});

let home: TestOrganisation;
let developer: JoinedMember;
beforeEach(async () => {
  home = await foundOrganisation(withProduction);
  developer = await home.join('developer');
});

let invitees = 0;
const invite = (role: string, of = home): Promise<Answer> => {
  invitees += 1;
  return of.owner.visitor.call('POST', `${of.base}/invitations`, { email: `invitee.${invitees}@example.org`, role });
};
const change = (someone: JoinedMember, role: string, of = home): Promise<Answer> =>
  of.owner.visitor.call('PATCH', `${of.base}/members/${someone.memberId}`, { role });
const transfer = (someone: JoinedMember): Promise<Answer> =>
  home.owner.visitor.call('POST', `${home.base}/transfer`, { memberId: someone.memberId });
const endProofs = (site = withProduction) =>
  site.database.superuser.query("update second_factor_proofs set proved_at = now() - interval '10 minutes'");
const invitationsTo = async (role: string): Promise<number> => {
  const { body } = await home.owner.visitor.call<{ data: { role: string }[] }>('GET', `${home.base}/invitations`);
  return body.data.filter((one) => one.role === role).length;
};
const mailsTo = async (someone: JoinedMember): Promise<string[]> => {
  const { rows } = await withProduction.database.superuser.query<{ subject: string }>(
    "select subject from outbox where recipient = $1 and subject like 'A new %' order by queued_at",
    [someone.person.email],
  );
  return rows.map(({ subject }) => subject);
};
const statusAndCode = ({ status, body }: Answer): unknown[] => (body?.code ? [status, body.code] : [status]);
const REFUSED = [403, 'second_factor_required'];

test('a session without a fresh code cannot give a role that allows production keys', async () => {
  const { uri } = await enrolSecondFactor(home.owner.visitor);
  await endProofs();
  for (const role of ['admin', 'owner']) {
    expect(statusAndCode(await invite(role))).toEqual(REFUSED);
    expect(statusAndCode(await change(developer, role))).toEqual(REFUSED);
    expect(await invitationsTo(role)).toBe(0);
  }
  expect(statusAndCode(await transfer(developer))).toEqual(REFUSED);
  expect([await home.roleOf(developer), await home.roleOf(home.owner)]).toEqual(['developer', 'owner']);
  expect(statusAndCode(await invite('auditor'))).toEqual([201]);
  expect(statusAndCode(await change(developer, 'viewer'))).toEqual([200]);
  const verified = await home.owner.visitor.call('POST', '/api/second-factor/verify', { code: codeOf(uri, 1) });
  expect(verified.status).toBe(204);
  expect(statusAndCode(await invite('admin'))).toEqual([201]);
  expect(statusAndCode(await change(developer, 'admin'))).toEqual([200]);
  await endProofs();
  expect(statusAndCode(await change(developer, 'admin'))).toEqual([200]);
  expect(statusAndCode(await change(developer, 'developer'))).toEqual([200]);
});

test('reinstating a suspended admin requires a fresh code, because the role becomes effective', async () => {
  await enrolSecondFactor(home.owner.visitor);
  const admin = await home.join('admin');
  const suspend = 'update members set suspended_at = now() where person_id = $1';
  await withProduction.database.superuser.query(suspend, [admin.person.id]);
  await endProofs();
  expect(statusAndCode(await change(admin, 'admin'))).toEqual(REFUSED);
});

test('a fresh code allows no such role while a removal of the second factor is pending', async () => {
  await enrolSecondFactor(home.owner.visitor);
  expect((await home.owner.visitor.call('POST', '/api/second-factor/removal', {})).status).toBe(202);
  const refused = await invite('admin');
  expect(statusAndCode(refused)).toEqual(REFUSED);
  expect(refused.body.detail).toContain('cancel the removal');
  expect(statusAndCode(await change(developer, 'admin'))).toEqual(REFUSED);
});

test('with production, a person without a second factor is asked to set one up', async () => {
  const refused = await invite('admin');
  expect(statusAndCode(refused)).toEqual(REFUSED);
  expect(refused.body.detail).toContain('Set one up in your account');
  expect(statusAndCode(await invite('developer'))).toEqual([201]);
});

test('a Console without production requires the code only from a person with a second factor', async () => {
  const first = await foundOrganisation(sandboxOnly);
  expect(statusAndCode(await invite('admin', first))).toEqual([201]);
  await enrolSecondFactor(first.owner.visitor);
  expect(statusAndCode(await invite('admin', first))).toEqual([201]);
  await endProofs(sandboxOnly);
  expect(statusAndCode(await invite('admin', first))).toEqual(REFUSED);
});

test('owners receive a mail about each new owner and admin, except the new owner', async () => {
  await enrolSecondFactor(home.owner.visitor);
  const admin = await home.join('admin');
  await change(developer, 'admin');
  await change(developer, 'owner');
  await change(developer, 'owner');
  expect((await transfer(admin)).status).toBe(200);
  const names = ['admin', 'admin', 'owner', 'owner'].map((role) => `A new ${role} of Harbour Tools`);
  expect(await mailsTo(home.owner)).toEqual(names);
  expect(await mailsTo(developer)).toEqual(names.slice(3));
  expect(await mailsTo(admin)).toEqual([]);
});

test('a role that an admin revokes and gives again is mailed to the owners once an hour, and another role immediately', async () => {
  await enrolSecondFactor(home.owner.visitor);
  const admin = await home.join('admin');
  await enrolSecondFactor(admin.visitor);
  for (const role of ['admin', 'developer', 'admin', 'developer', 'admin']) {
    const answer = await admin.visitor.call('PATCH', `${home.base}/members/${developer.memberId}`, { role });
    expect(statusAndCode(answer)).toEqual([200]);
  }
  // The first mail is about the admin.
  const mails = ['A new admin of Harbour Tools', 'A new admin of Harbour Tools'];
  expect(await mailsTo(home.owner)).toEqual(mails);
  await change(developer, 'owner');
  expect(await mailsTo(home.owner)).toEqual([...mails, 'A new owner of Harbour Tools']);
  await withProduction.database.superuser.query(
    "update appointment_mails set mailed_at = mailed_at - interval '1 hour' where person_id = $1",
    [developer.person.id],
  );
  await change(developer, 'developer');
  await change(developer, 'admin');
  expect(await mailsTo(home.owner)).toHaveLength(4);
});

test('a role that an owner revoked is mailed to the owners when it is given again', async () => {
  await enrolSecondFactor(home.owner.visitor);
  await change(developer, 'admin');
  await change(developer, 'developer');
  await change(developer, 'admin');
  expect(await mailsTo(home.owner)).toHaveLength(2);
});
