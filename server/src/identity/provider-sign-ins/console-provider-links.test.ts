// The link between an account and an identity at the identity provider.
import { describe, expect, test } from 'vitest';
import { NOT_LINKED, REFUSED, told, useIdentityProvider } from './identity-provider.fixture.ts';

const { provider, site, browsers } = useIdentityProvider();

describe('a link to an account', () => {
  const PASSWORD = 'a long sentence is a good one';
  const query = (text: string, values: unknown[]) => site().database.superuser.query(text, values);

  test('requires the password or a fresh sign-in, is mailed, and joins one identity and one account', async () => {
    const { person, visitor } = await site().newPerson();
    expect((await visitor.call('PUT', '/api/password', { password: PASSWORD })).status).toBe(204);
    for (const body of [{}, { currentPassword: 'wrong' }])
      expect(told(await browsers().link(visitor, 'mine', body))).toEqual([400, 'invalid_request']);
    expect((await browsers().link(visitor, 'mine', { currentPassword: PASSWORD })).body).toEqual({ next: 'account' });
    const taken = [409, 'provider_link_taken'];
    expect(told(await browsers().link(visitor, 'second', { currentPassword: PASSWORD }))).toEqual(taken);
    const { visitor: other } = await site().newPerson();
    expect(told(await browsers().link(other, 'mine'))).toEqual(taken);
    const { person: stale, visitor: stolen } = await site().newPerson();
    await query(`update "session" set "createdAt" = now() - interval '1 hour' where "userId" = $1`, [stale.id]);
    expect(told(await browsers().link(stolen, 'thief’s'))).toEqual([403, 'fresh_sign_in_required']);
    expect((await visitor.call('DELETE', '/api/provider-links')).status).toBe(204);
    expect(told(await browsers().signIn({ sub: 'mine', email: person.email }))).toEqual(NOT_LINKED);
    const { rows } = await query('select subject from outbox where recipient = $1 order by queued_at', [person.email]);
    expect(rows.map(({ subject }) => subject)).toEqual([
      'An identity provider was linked',
      'The identity provider was unlinked',
    ]);
  });

  test('that one person began is completed in no other session', async () => {
    const { visitor } = await site().newPerson();
    const { visitor: victim } = await site().newPerson();
    const begun = await visitor.call<{ url: string }>('POST', '/api/provider-links', {});
    victim.cookie = `${victim.cookie}; ${visitor.cookie}`;
    provider().claims = { sub: 'planted' };
    expect(told(await browsers().comeBack(victim, browsers().granting(begun.body.url)))).toEqual(REFUSED);
  });

  test('of an earlier release keeps working, for the first configured issuer alone', async () => {
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
    expect(told(await browsers().signIn({ sub: 'old subject', email: person.email }))).toEqual(NOT_LINKED);
    await query('update facts set value = to_jsonb($1::text) where name = $2', [
      provider().issuer,
      'oidc_legacy_issuer',
    ]);
  });
});
