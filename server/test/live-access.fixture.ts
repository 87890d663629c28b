// Requests and decisions about live access in tests: an organisation with an app in the sandbox, and reviewers.
import { insertOperator } from '../src/governance/operators/index.ts';
import { openDatabase } from '../src/kit/db/db.ts';
import type { Answer } from './app.ts';
import type { TestConsole, TestVisitor } from './console-app.ts';
import { foundOrganisation, type JoinedMember, type TestOrganisation } from './organisation.fixture.ts';

export interface Detail {
  id: string;
  appId: string;
  state: string;
  version: number;
  scopes: { scope: string; purpose: string; dataUse: string }[];
  approvedScopes: string[] | null;
  reason: string | null;
  decidedAt: string | null;
  decisionReadAt: string | null;
  decisionReadBy: string | null;
  submission: { document: string; sha256: string; evidence: { items: { name: string; outcome: string }[] } } | null;
  liveAccess: {
    productionAppId: string;
    status: string;
    scopes: string[];
    maxServers: number | null;
    isConfirmed: boolean;
  } | null;
  history: { by: string; actor: string; action: string; text: string | null; sha256: string | null }[];
}
export interface Review {
  request: Detail;
  organisationName: string;
  isOwn: boolean;
}

export const requestedScope = (scope: string) => ({ scope, purpose: 'Shows servers.', dataUse: 'Kept for a day.' });
export const CONTACTS = [{ kind: 'security', name: 'Imke', email: 'imke@example.org' }];

export interface LiveAccessApplicant {
  organisation: TestOrganisation;
  owner: TestVisitor;
  appId: string;
  base: string;
  draft(): Promise<Detail>;
  edit(of: Detail, scopes: readonly string[], as?: TestVisitor): Promise<Answer<Detail>>;
  step(of: Detail, step: 'submit' | 'withdraw', as?: TestVisitor): Promise<Answer<Detail>>;
  read(of: Detail): Promise<Detail>;
  /** Creates, edits and submits a request. */
  submitted(scopes: readonly string[]): Promise<Detail>;
}

export async function createApplicant(site: TestConsole): Promise<LiveAccessApplicant> {
  const organisation = await foundOrganisation(site);
  const owner = organisation.owner.visitor;
  const created = await owner.call<{ id: string }>('POST', `/api/sandbox/organisations/${organisation.id}/apps`, {
    name: 'Bridge',
  });
  const appId = created.body.id;
  const base = `${organisation.base}/live-access-requests`;
  const asking: LiveAccessApplicant = {
    organisation,
    owner,
    appId,
    base,
    draft: async () => (await owner.call<Detail>('POST', base, { appId })).body,
    edit: ({ id, version }, scopes, as = owner) =>
      as.call('PUT', `${base}/${id}`, { version, scopes: scopes.map(requestedScope), contacts: CONTACTS }),
    step: ({ id, version }, step, as = owner) => as.call('POST', `${base}/${id}/${step}`, { version }),
    read: async ({ id }) => (await owner.call<Detail>('GET', `${base}/${id}`)).body,
    async submitted(scopes) {
      const edited = await asking.edit(await asking.draft(), scopes);
      return (await asking.step(edited.body, 'submit')).body;
    },
  };
  return asking;
}

export interface Reviewer extends JoinedMember {
  decide(of: Pick<Detail, 'id'>, decision: string, body?: unknown): Promise<Answer<Review>>;
  approve(of: Detail, scopes: readonly string[], maxServers?: number | null): Promise<Answer<Review>>;
}

export async function makeReviewer(site: TestConsole, someone?: JoinedMember): Promise<Reviewer> {
  const person = someone ?? { ...(await site.newPerson()), memberId: '' };
  const db = openDatabase({ url: site.database.url, max: 1, queryTimeoutMs: 5_000, connectTimeoutMs: 1_000 });
  await insertOperator(db, person.person.id);
  await db.close();
  const decide: Reviewer['decide'] = ({ id }, decision, body) =>
    person.visitor.call('POST', `/api/operator/live-access-requests/${id}/${decision}`, body);
  return {
    ...person,
    decide,
    approve: (of, scopes, maxServers = null) => decide(of, 'approve', { version: of.version, scopes, maxServers }),
  };
}
