// Who is swept: a person in each role of one organisation, and everybody else.
import type { TestConsole, Visitor } from '../console-app.ts';
import { ROLES, type Role, type Who } from './console-model.ts';
import { uuidOf } from './rows.ts';

export interface Society {
  /** The foreign one has nobody in it who is swept. */
  organisations: { own: string; foreign: string };
  people: Record<Who | 'founder', Visitor>;
}

/** People are counted to have names of their own. */
export function oneAfterAnother<T>(make: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const made = last.then(make);
    last = made.catch(() => {});
    return made;
  };
}

/** A person in each role of one organisation, a stranger with one of their own, nobody, and an organisation of others. */
export async function invite(console: TestConsole, newPerson: TestConsole['newPerson']): Promise<Society> {
  const people: Record<string, Visitor> = { nobody: console.newVisitor() };
  const found = async (who: string, name: string): Promise<string> => {
    const made = await people[who]?.call<{ id: string }>('POST', '/api/organisations', { name });
    return made?.body.id ?? '';
  };
  const ids: Record<string, string> = {};
  for (const who of [...ROLES, 'stranger', 'operator', 'founder']) {
    const { person, visitor } = await newPerson();
    people[who] = visitor;
    ids[who] = person.id;
  }
  await console.database.superuser.query('insert into operators (person_id) values ($1)', [ids.operator]);
  const own = await found('owner', 'Own');
  await found('stranger', 'The stranger’s');
  const foreign = await found('founder', 'Foreign');
  for (const role of ROLES.filter((one) => one !== 'owner')) {
    await join(console, own, ids[role] ?? '', role);
  }
  return { organisations: { own, foreign }, people: people as Society['people'] }; // each name was given above
}

export async function join(console: TestConsole, organisationId: string, personId: string, role: Role): Promise<void> {
  const text = 'insert into members (organisation_id, person_id, role) values ($1, $2, $3)';
  await console.database.superuser.query(text, [uuidOf(organisationId), personId, role]);
}
