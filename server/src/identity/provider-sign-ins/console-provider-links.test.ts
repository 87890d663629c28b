// The link between an account and an identity at the identity provider.
import { describe, expect, test } from 'vitest';
import type { Answer } from '../../../test/app.ts';
import type { TestVisitor } from '../../../test/console-app.ts';
import { untilLocksWaited } from '../../../test/lock-waits.ts';
import { NOT_LINKED, REFUSED, statusAndCode, useIdentityProvider } from './identity-provider.fixture.ts';

const { provider, site, browsers } = useIdentityProvider();

describe('a link between an account and an identity', () => {
  const PASSWORD = 'a long sentence is a good one';
  const query = (text: string, values: unknown[]) => site().database.superuser.query(text, values);

  test('requires the password or a recent sign-in, is mailed, and joins one identity and one account', async () => {
    const { person, visitor } = await site().newPerson();
    expect((await visitor.call('PUT', '/api/password', { password: PASSWORD })).status).toBe(204);
    for (const body of [{}, { currentPassword: 'wrong' }])
      expect(statusAndCode(await browsers().link(visitor, 'mine', body))).toEqual([400, 'invalid_request']);
    expect((await browsers().link(visitor, 'mine', { currentPassword: PASSWORD })).body).toEqual({ next: 'account' });
    const linkTaken = [409, 'provider_link_taken'];
    expect(statusAndCode(await browsers().link(visitor, 'second', { currentPassword: PASSWORD }))).toEqual(linkTaken);
    const { visitor: other } = await site().newPerson();
    expect(statusAndCode(await browsers().link(other, 'mine'))).toEqual(linkTaken);
    const { person: stale, visitor: stolen } = await site().newPerson();
    await query(`update "session" set "createdAt" = now() - interval '1 hour' where "userId" = $1`, [stale.id]);
    expect(statusAndCode(await browsers().link(stolen, 'thief’s'))).toEqual([403, 'fresh_sign_in_required']);
    expect((await visitor.call('DELETE', '/api/provider-links')).status).toBe(204);
    expect(statusAndCode(await browsers().signIn({ sub: 'mine', email: person.email }))).toEqual(NOT_LINKED);
    const { rows } = await query('select subject from outbox where recipient = $1 order by queued_at', [person.email]);
    expect(rows.map(({ subject }) => subject)).toEqual([
      'An identity provider was linked',
      'The identity provider was unlinked',
    ]);
  });

  const linkedPerson = async (subject: string, { isWithPassword } = { isWithPassword: true }) => {
    const { person, visitor } = await site().newPerson();
    const body = isWithPassword ? { currentPassword: PASSWORD } : {};
    if (isWithPassword) expect((await visitor.call('PUT', '/api/password', { password: PASSWORD })).status).toBe(204);
    expect((await browsers().link(visitor, subject, body)).status).toBe(200);
    return { person, visitor };
  };
  const textOf = async (email: string, subject: string): Promise<string> => {
    const { rows } = await query('select text from outbox where recipient = $1 and subject = $2', [email, subject]);
    return rows.map(({ text }) => text).join('\n---\n');
  };
  const reset = async (email: string): Promise<Answer> => {
    await site().newVisitor().call('POST', '/api/password-resets', { email });
    await site().runLinks();
    const token = /#token=(\S+)/.exec(await textOf(email, 'A new password for Slipway'))?.[1];
    return site().newVisitor().call('PUT', '/api/password-resets', { token, password: 'another long sentence now' });
  };
  const everywhere = (visitor: TestVisitor): Promise<Answer> => visitor.call('DELETE', '/api/sessions');

  test('is ended, listed and mailed by a password reset', async () => {
    const { person } = await linkedPerson('colleague-1');
    const ended = await reset(person.email);
    const link = { issuer: provider().issuer, linkedAt: expect.any(String), state: 'ended' };
    expect(ended).toMatchObject({ status: 200, body: { providerLinks: [link] } });
    expect(await textOf(person.email, 'Your password was changed')).toContain(`- ${provider().issuer}, linked on `);
    expect(statusAndCode(await browsers().signIn({ sub: 'colleague-1', email: person.email }))).toEqual(NOT_LINKED);
  });

  test('is ended, listed and mailed by signing out everywhere, also a link of an earlier release', async () => {
    const { person, visitor } = await linkedPerson('colleague-2');
    await query(
      `insert into account (id, "accountId", "providerId", "userId", "createdAt", "updatedAt")
       values ('legacy-2', 'colleague-2', 'oidc', $1, now(), now())`,
      [person.id],
    );
    const { body } = await everywhere(visitor);
    expect(body.providerLinks).toMatchObject([{ state: 'ended' }, { state: 'ended' }]);
    expect(await textOf(person.email, 'The identity provider was unlinked')).toContain('no longer signs you in');
    expect(statusAndCode(await browsers().signIn({ sub: 'colleague-2', email: person.email }))).toEqual(NOT_LINKED);
  });

  test('stays and is listed as kept when a person without a password signs out everywhere', async () => {
    const { person, visitor } = await linkedPerson('only-way', { isWithPassword: false });
    expect((await everywhere(visitor)).body).toMatchObject({ providerLinks: [{ state: 'kept' }] });
    const browser = site().newVisitor();
    expect((await browsers().signIn({ sub: 'only-way' }, browser)).status).toBe(204);
    expect((await browser.call('GET', '/api/session')).body.person).toMatchObject({ email: person.email });
    // A reset gives the account a password, so it ends the link.
    expect((await reset(person.email)).body).toMatchObject({ providerLinks: [{ state: 'ended' }] });
  });

  test('is ended if it is completed before the end of its session', async () => {
    const { person, visitor } = await site().newPerson();
    await visitor.call('PUT', '/api/password', { password: PASSWORD });
    const other = site().newVisitor();
    await other.signInByLink(person);
    const superuser = site().database.superuser;
    await superuser.query('begin');
    await superuser.query('lock table outbox in exclusive mode');
    const linking = browsers().link(visitor, 'racing', { currentPassword: PASSWORD });
    await untilLocksWaited(superuser, 1);
    const ending = everywhere(other);
    await untilLocksWaited(superuser, 2);
    await superuser.query('rollback');
    const [linked, ended] = await Promise.all([linking, ending]);
    expect([linked.status, ended.status]).toEqual([200, 200]);
    expect((await query('select from provider_links where person_id = $1', [person.id])).rowCount).toBe(0);
  });

  test('is refused if its session ends before its completion', async () => {
    const { person, visitor } = await site().newPerson();
    const superuser = site().database.superuser;
    await superuser.query('begin');
    await superuser.query('delete from "session" where "userId" = $1', [person.id]);
    const linking = browsers().link(visitor, 'too-late');
    await untilLocksWaited(superuser, 1);
    await superuser.query('commit');
    expect(statusAndCode(await linking)).toEqual([401, 'sign_in_required']);
    expect((await query('select from provider_links where person_id = $1', [person.id])).rowCount).toBe(0);
  });

  test('is refused after five links on one day, which limits the mails', async () => {
    const { person, visitor } = await site().newPerson();
    const linkAndUnlink = async (): Promise<unknown[]> => {
      const linked = await browsers().link(visitor, 'again and again');
      return [linked.status, (await visitor.call('DELETE', '/api/provider-links')).status];
    };
    for (let time = 1; time <= 5; time++) expect(await linkAndUnlink()).toEqual([200, 204]);
    expect(await linkAndUnlink()).toEqual([429, 404]);
    const { rows } = await query('select count(*)::int as mails from outbox where recipient = $1', [person.email]);
    expect(rows).toEqual([{ mails: 10 }]);
    await query('update security_changes set day = day - 1 where person_id = $1', [person.id]);
    expect(await linkAndUnlink()).toEqual([200, 204]);
  });

  test('signs no one in who has its subject at another issuer', async () => {
    const { person } = await linkedPerson('a subject of two issuers');
    await query(`update provider_links set issuer = 'https://other.example' where person_id = $1`, [person.id]);
    const identity = { sub: 'a subject of two issuers', email: person.email };
    expect(statusAndCode(await browsers().signIn(identity))).toEqual(NOT_LINKED);
    await query('update provider_links set issuer = $2 where person_id = $1', [person.id, provider().issuer]);
    expect((await browsers().signIn(identity)).status).toBe(204);
  });

  test('cannot be completed in the session of another person', async () => {
    const { visitor } = await site().newPerson();
    const { visitor: victim } = await site().newPerson();
    const begun = await visitor.call<{ url: string }>('POST', '/api/provider-links', {});
    victim.cookie = `${victim.cookie}; ${visitor.cookie}`;
    provider().claims = { sub: 'planted' };
    expect(statusAndCode(await browsers().comeBack(victim, browsers().granting(begun.body.url)))).toEqual(REFUSED);
  });

  test('keeps working if an earlier release created it, only for the first configured issuer', async () => {
    const { person } = await site().newPerson();
    const { person: second } = await site().newPerson();
    const insert = (id: string, userId: string, day: string) =>
      query(
        `insert into account (id, "accountId", "providerId", "userId", "createdAt", "updatedAt")
         values ($1, 'old subject', 'oidc', $2, $3, now())`,
        [id, userId, day],
      );
    await insert('later', second.id, '2026-02-01');
    await insert('first', person.id, '2026-01-01');
    const browser = site().newVisitor();
    expect((await browsers().signIn({ sub: 'old subject', email: second.email }, browser)).status).toBe(204);
    const { body } = await browser.call('GET', '/api/session');
    expect(body.person).toMatchObject({ email: person.email, isLinkedToProvider: true });
    await query(`update facts set value = to_jsonb('https://other.example'::text) where name = $1`, [
      'oidc_legacy_issuer',
    ]);
    expect(statusAndCode(await browsers().signIn({ sub: 'old subject', email: person.email }))).toEqual(NOT_LINKED);
    await query('update facts set value = to_jsonb($1::text) where name = $2', [
      provider().issuer,
      'oidc_legacy_issuer',
    ]);
  });
});
