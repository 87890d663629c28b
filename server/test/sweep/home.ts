// What the sweep calls: a Console and the /v1 of one sandbox, three organisations and their people, and four apps.
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { createSandboxApi } from '../../src/api.ts';
import { keepHouse } from '../../src/features/housekeeping/index.ts';
import { startConsole, type TestConsole, type Visitor } from '../console-app.ts';
import { makeApps, type SweptApps } from './apps.ts';
import { ROLES, type Who } from './model.ts';
import { uuidOf } from './rows.ts';

export interface Called {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export interface Calls {
  /** Of /v1, with the key when there is one. */
  callApi(method: string, path: string, token: string | undefined, body?: unknown): Promise<Called>;
  /** Of the Console, as whoever has these cookies. */
  callConsole(method: string, path: string, cookie: string, body?: unknown): Promise<Called>;
}

export interface Society {
  /** The foreign one has nobody in it who is swept. */
  organisations: { own: string; foreign: string };
  people: Record<Who | 'founder', Visitor>;
}

export interface Home extends Calls, Society, SweptApps {
  console: TestConsole;
  /** The cookie of somebody of whom nothing else is asked. */
  newCookie(): Promise<string>;
  newLink(): Promise<{ token: string }>;
  /** Somebody with a password. */
  withPassword: { email: string; password: string };
  close(): Promise<void>;
}

export async function startHome(): Promise<Home> {
  const console = await startConsole('local');
  const { plane } = console;
  await keepHouse(plane.worker);
  const options = { recorder: plane.recorder, trustedProxies: [], onInternalError: () => {} };
  const api = createSandboxApi(plane.plane, options);
  await api.listen({ host: '127.0.0.1', port: 0 });
  const apiUrl = `http://127.0.0.1:${(api.server.address() as AddressInfo).port}`; // it listens on TCP
  const pools = { api: new Pool(apiUrl, { connections: 5 }), console: new Pool(console.url, { connections: 5 }) };
  const calls = createCalls(pools.api, pools.console);
  const newPerson = oneAfterAnother(console.newPerson);
  const society = await invite(console, newPerson);
  const member = await newPerson();
  const password = 'a long sentence is a good one';
  await member.visitor.call('PUT', '/api/password', { password });
  return {
    console,
    ...calls,
    ...society,
    ...(await makeApps(plane, calls, society)),
    withPassword: { email: member.person.email, password },
    newCookie: async () => (await newPerson()).visitor.cookie,
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

function createCalls(api: Pool, console: Pool): Calls {
  let address = 0;
  async function call(pool: Pool, method: string, path: string, headers: Record<string, string>, body: unknown) {
    if (body !== undefined) headers['content-type'] = 'application/json';
    const sent = body === undefined ? null : JSON.stringify(body);
    const answer = await pool.request({ method: method as 'GET', path, headers, body: sent }); // any method
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  }
  return {
    callApi: (method, path, token, body) =>
      call(api, method, path, token === undefined ? {} : { authorization: `Bearer ${token}` }, body),
    callConsole(method, path, cookie, body) {
      address += 1; // each from its own: what is counted by address is not what is swept
      const headers = { cookie, 'slipway-console': '1', 'x-forwarded-for': `2001:db8::${address.toString(16)}` };
      return call(console, method, path, headers, body);
    },
  };
}

/** People are counted to have names of their own. */
function oneAfterAnother<T>(make: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const made = last.then(make);
    last = made.catch(() => {});
    return made;
  };
}

/** A person in each role of one organisation, a stranger with one of their own, nobody, and an organisation of others. */
async function invite(console: TestConsole, newPerson: TestConsole['newPerson']): Promise<Society> {
  const people: Record<string, Visitor> = { nobody: console.newVisitor() };
  const found = async (who: string, name: string): Promise<string> => {
    const made = await people[who]?.call<{ id: string }>('POST', '/api/organisations', { name });
    return made?.body.id ?? '';
  };
  const ids: Record<string, string> = {};
  for (const who of [...ROLES, 'stranger', 'founder']) {
    const { person, visitor } = await newPerson();
    people[who] = visitor;
    ids[who] = person.id;
  }
  const own = await found('owner', 'Own');
  await found('stranger', 'The stranger’s');
  const foreign = await found('founder', 'Foreign');
  for (const role of ROLES.filter((one) => one !== 'owner')) {
    await console.database.superuser.query(
      'insert into members (organisation_id, person_id, role) values ($1, $2, $3)',
      [uuidOf(own), ids[role], role],
    );
  }
  return { organisations: { own, foreign }, people: people as Society['people'] }; // each name was given above
}
