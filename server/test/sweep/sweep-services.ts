// The services of the sweep: a Console and the /v1 of one sandbox, three organisations with their members, and four
// apps.
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { createSandboxApi } from '../../src/listeners/sandbox-api.ts';
import { startConsole, type TestConsole } from '../console-app.ts';
import { makeApps, type SweptApps } from './apps.ts';
import { type Calls, createCalls } from './calls.ts';
import type { SweepRole } from './console-model.ts';
import { addMember, createPeople, type SweepPeople, serialise } from './people.ts';

export interface SweepServices extends Calls, SweepPeople, SweptApps {
  console: TestConsole;
  /** Creates a person for a single call, with this role in the caller's own organisation or without an organisation. */
  newPerson(role?: SweepRole): Promise<{ email: string; cookie: string }>;
  /** Returns the token of an invitation for this address. */
  newInvitation(email: string): Promise<{ token: string }>;
  /** Creates an organisation for a single call. */
  newOrganisation(): Promise<string>;
  newLink(): Promise<{ token: string }>;
  /** A person with a password. */
  withPassword: { email: string; password: string };
  close(): Promise<void>;
}

export async function startSweepServices(): Promise<SweepServices> {
  const console = await startConsole('local');
  const { plane } = console;
  const options = { recorder: plane.recorder, trustedProxies: ['127.0.0.1/32'], onInternalError: () => {} };
  const api = createSandboxApi(plane.plane, options);
  await api.listen({ host: '127.0.0.1', port: 0 });
  const apiUrl = `http://127.0.0.1:${(api.server.address() as AddressInfo).port}`; // a TCP address
  const pools = { api: new Pool(apiUrl, { connections: 5 }), console: new Pool(console.url, { connections: 5 }) };
  const calls = createCalls(pools.api, pools.console);
  const newPerson = serialise(console.newPerson);
  const society = await createPeople(console, newPerson);
  const member = await newPerson();
  const password = 'a long sentence is a good one';
  await member.visitor.call('PUT', '/api/password', { password });
  return {
    console,
    ...calls,
    ...society,
    ...(await makeApps(console, calls, society)),
    withPassword: { email: member.person.email, password },
    async newPerson(role) {
      const { person, visitor } = await newPerson();
      if (role) await addMember(console, society.organisations.own, person.id, role);
      return { email: person.email, cookie: visitor.cookie };
    },
    async newInvitation(email) {
      const path = `/api/organisations/${society.organisations.foreign}/invitations`;
      const invitation = await society.people.founder.call<{ url: string }>('POST', path, { email, role: 'viewer' });
      return { token: invitation.body.url.split('#token=')[1] ?? '' };
    },
    async newOrganisation() {
      const created = await society.people.founder.call<{ id: string }>('POST', '/api/organisations', {
        name: 'Another',
      });
      return created.body.id;
    },
    newLink: async () => {
      const { person } = await newPerson();
      return { token: (await console.identity.issueLink(person)).reveal() };
    },
    async close() {
      await Promise.all([pools.api.close(), pools.console.close()]);
      await api.close();
      await console.close();
    },
  };
}
