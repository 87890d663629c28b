// The fuzzed services: the sandbox's API and its management listener on one plane, and a Console in front of another
// plane. The management API acts on another organisation than the key of /v1.

import { signAssertion } from '../../src/access/authority/index.ts';
import { newUuid, toId } from '../../src/kit/crypto/ids.ts';
import { consoleDocument, consoleOperations } from '../../src/listeners/console.ts';
import { publicDocument, publicOperations } from '../../src/listeners/sandbox-api.ts';
import { sandboxManagement } from '../../src/listeners/sandbox-management.ts';
import { startSandbox } from '../app.ts';
import { CONSOLE_URL, startConsole } from '../console-app.ts';
import { createSurface, fuzzed, type Surface } from './fuzzed-service.ts';

export interface Services {
  surfaces: Surface[];
  /** Internal errors of the services. */
  errors: unknown[];
  close(): Promise<void>;
}

/** The surfaces and their operations, which need no running service. */
export const OPERATIONS = {
  '/v1': fuzzed(publicOperations, ''),
  'the management listener': fuzzed(sandboxManagement, '/api/sandbox'),
  'the Console': fuzzed(consoleOperations([]), ''),
} as const;

const PROBLEMS_URL = 'http://sandbox.test/problems';

export async function startServices(): Promise<Services> {
  const errors: unknown[] = [];
  const sandbox = await startSandbox();
  const app = await sandbox.newApp();
  const { token } = await app.key();
  const v1 = createSurface({
    name: '/v1',
    listener: 'api',
    url: sandbox.apiUrl,
    operations: OPERATIONS['/v1'],
    document: publicDocument('http://sandbox.test', PROBLEMS_URL),
    credentials: async () => [['Authorization', `Bearer ${token}`]],
    databases: [sandbox.database.superuser],
  });
  const organisationId = newUuid();
  const by = { kind: 'person', personId: 'person', name: 'fuzz@example.org', address: null } as const;
  const actor = { ...by, organisationId, role: 'owner' } as const;
  const management = createSurface({
    name: 'the management listener',
    listener: 'management',
    url: sandbox.managementUrl,
    operations: OPERATIONS['the management listener'],
    document: consoleDocument(CONSOLE_URL, PROBLEMS_URL),
    credentials: async () => [
      ['Authorization', `Bearer ${await signAssertion(actor, 'sandbox', sandbox.options.managementKey)}`],
    ],
    databases: [sandbox.database.superuser],
  });
  management.harvest.add('', toId('org', organisationId));
  const { surface, close } = await startConsoleSurface(errors);
  return {
    surfaces: [v1, management, surface],
    errors,
    async close() {
      errors.push(...sandbox.errors);
      await close();
      await sandbox.close();
    },
  };
}

async function startConsoleSurface(errors: unknown[]): Promise<{ surface: Surface; close(): Promise<void> }> {
  const console = await startConsole('local', { onInternalError: (error) => errors.push(error) });
  const { person, visitor: first } = await console.newPerson();
  const created = await first.call<{ id: string }>('POST', '/api/organisations', { name: 'An organisation' });
  let visitor = first;
  let caller = 0;
  const surface = createSurface({
    name: 'the Console',
    listener: 'console',
    url: console.url,
    operations: OPERATIONS['the Console'],
    document: consoleDocument(CONSOLE_URL, PROBLEMS_URL),
    // Each request has its own address: other tests cover the throttle of sign-ins.
    credentials: async () => {
      caller += 1;
      // Wrong codes of the person are forgotten as well.
      await console.database.superuser.query('delete from user_code_tries');
      return [
        ['Cookie', visitor.cookie],
        ['Slipway-Console', '1'],
        ['X-Forwarded-For', `2001:db8::${caller.toString(16)}`],
      ];
    },
    databases: [console.database.superuser, console.plane.database.superuser],
    async restore({ headers, body }) {
      if (!headers.has('set-cookie') && !body.includes('"sign_in_required"')) return false;
      visitor = console.newVisitor();
      await visitor.signInByLink(person);
      return true;
    },
  });
  surface.harvest.add('', created.body);
  return { surface, close: console.close };
}
