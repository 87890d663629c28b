// An organisation with members in each role, who were invited and signed in as in practice.
import type { Role } from '../src/access/authority/index.ts';
import type { Person } from '../src/identity/sessions/index.ts';
import type { TestConsole, TestVisitor } from './console-app.ts';
import { until } from './harness.ts';

export interface JoinedMember {
  person: Person;
  visitor: TestVisitor;
  memberId: string;
}

export interface TestOrganisation {
  id: string;
  /** The base path of the Console's operations on the organisation. */
  base: string;
  owner: JoinedMember;
  join(role: Role): Promise<JoinedMember>;
  /** Changes a role directly in the database. */
  setRole(someone: JoinedMember, role: Role): Promise<void>;
  roleOf(someone: JoinedMember): Promise<Role | undefined>;
}

interface ListBody {
  data: { id: string; email: string; role: Role }[];
}

export async function foundOrganisation(site: TestConsole): Promise<TestOrganisation> {
  const { person, visitor } = await site.newPerson();
  const { body } = await visitor.call<{ id: string }>('POST', '/api/organisations', { name: 'Harbour Tools' });
  const base = `/api/organisations/${body.id}`;

  async function memberOf(email: string): Promise<ListBody['data'][number] | undefined> {
    const list = await visitor.call<ListBody>('GET', `${base}/members?limit=100`);
    return list.body.data?.find((member) => member.email === email);
  }

  const owner = { person, visitor, memberId: (await memberOf(person.email))?.id ?? '' };
  return {
    id: body.id,
    base,
    owner,
    async join(role) {
      const guest = await site.newPerson();
      const invited = await visitor.call<{ url: string }>('POST', `${base}/invitations`, {
        email: guest.person.email,
        role,
      });
      const token = invited.body.url.split('#token=')[1];
      await guest.visitor.call('POST', '/api/invitations/accept', { token });
      return { ...guest, memberId: (await memberOf(guest.person.email))?.id ?? '' };
    },
    async setRole({ person: { id } }, role) {
      await site.database.superuser.query('update members set role = $1 where person_id = $2', [role, id]);
    },
    async roleOf({ person: { id } }) {
      const { rows } = await site.database.superuser.query('select role from members where person_id = $1', [id]);
      return rows[0]?.role;
    },
  };
}

/** Runs several membership changes concurrently: all of them wait for a lock before any can continue. */
export async function runConcurrently<T>(site: TestConsole, changes: readonly (() => Promise<T>)[]): Promise<T[]> {
  const { superuser } = site.database;
  await superuser.query('begin');
  await superuser.query('select from organisations for update');
  const all = Promise.all(changes.map((change) => change()));
  await until(async () => {
    await superuser.query('select pg_stat_clear_snapshot()');
    const { rows } = await superuser.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length >= changes.length;
  });
  await superuser.query('commit');
  return all;
}
