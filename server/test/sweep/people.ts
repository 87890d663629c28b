// The callers of the sweep: a member in each role of one organisation, and people outside of it.
import type { TestConsole, TestVisitor } from '../console-app.ts';
import { type CallerKind, ROLES, type SweepRole } from './console-model.ts';
import { uuidOf } from './copied-rows.ts';

export interface SweepPeople {
  /** No caller of the sweep belongs to the foreign organisation. */
  organisations: { own: string; foreign: string };
  people: Record<CallerKind | 'founder', TestVisitor>;
}

/** Serialises the calls of a function: new people are numbered for unique names. */
export function serialise<T>(make: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const result = last.then(make);
    last = result.catch(() => {});
    return result;
  };
}

/**
 * Creates a member in each role of one organisation, a stranger with their own organisation, a visitor without a
 * session, and a foreign organisation.
 */
export async function createPeople(console: TestConsole, newPerson: TestConsole['newPerson']): Promise<SweepPeople> {
  const people: Record<string, TestVisitor> = { nobody: console.newVisitor() };
  const newOrganisation = async (who: string, name: string): Promise<string> => {
    const created = await people[who]?.call<{ id: string }>('POST', '/api/organisations', { name });
    return created?.body.id ?? '';
  };
  const ids: Record<string, string> = {};
  for (const who of [...ROLES, 'stranger', 'operator', 'founder']) {
    const { person, visitor } = await newPerson();
    people[who] = visitor;
    ids[who] = person.id;
  }
  await console.database.superuser.query('insert into operators (person_id) values ($1)', [ids.operator]);
  const own = await newOrganisation('owner', 'Own');
  await newOrganisation('stranger', 'The stranger’s');
  const foreign = await newOrganisation('founder', 'Foreign');
  for (const role of ROLES.filter((one) => one !== 'owner')) {
    await addMember(console, own, ids[role] ?? '', role);
  }
  return { organisations: { own, foreign }, people: people as SweepPeople['people'] }; // each name was assigned above
}

export async function addMember(
  console: TestConsole,
  organisationId: string,
  personId: string,
  role: SweepRole,
): Promise<void> {
  const text = 'insert into members (organisation_id, person_id, role) values ($1, $2, $3)';
  await console.database.superuser.query(text, [uuidOf(organisationId), personId, role]);
}
