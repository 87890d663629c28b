// Starts a Console, and a signed-out terminal whose user has an organisation and an access token.
import type { AddressInfo } from 'node:net';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { createSandboxApi } from '../../server/src/listeners/sandbox-api.ts';
import { startConsole, type TestConsole } from '../../server/test/console-app.ts';
import { foundOrganisation, type TestOrganisation } from '../../server/test/organisation.fixture.ts';
import { newTerminal, type Terminal } from './terminal.ts';

export interface SignedOut extends TestOrganisation {
  site: TestConsole;
  url: string;
  terminal: Terminal;
  token: string;
  newToken(scope?: 'read' | 'write'): Promise<string>;
  close(): Promise<void>;
}

export async function openConsole(options: Parameters<typeof startConsole>[1] = {}): Promise<SignedOut> {
  const site = await startConsole('local', options);
  // `fetch` opens connections that it does not use. The shutdown of the Console would wait for them.
  const [before, connections] = [getGlobalDispatcher(), new Agent()];
  setGlobalDispatcher(connections);
  const home = await foundOrganisation(site);
  const terminal = newTerminal();
  terminal.env.SLIPWAY_CONSOLE_URL = site.url;
  const newToken: SignedOut['newToken'] = async (scope = 'write') => {
    const input = { name: 'A terminal', scope, expiresInDays: 1 };
    const { body } = await home.owner.visitor.call<{ token: string }>('POST', `${home.base}/access-tokens`, input);
    return body.token;
  };
  return {
    ...home,
    site,
    url: site.url,
    terminal,
    token: await newToken(),
    newToken,
    async close() {
      terminal.remove();
      setGlobalDispatcher(before);
      await connections.destroy();
      await site.close();
    },
  };
}

/** Serves /v1 of the sandbox to the terminal, until the returned function is called. */
export async function serveApi({ site, terminal }: SignedOut): Promise<() => Promise<void>> {
  const { plane, recorder } = site.plane;
  const api = createSandboxApi(plane, { recorder, trustedProxies: [], onInternalError() {} });
  await api.listen({ host: '127.0.0.1', port: 0 });
  terminal.env.SLIPWAY_API_URL = `http://127.0.0.1:${(api.server.address() as AddressInfo).port}`; // a TCP address
  return () => api.close();
}

export interface Crane extends SignedOut {
  appId: string;
  keyId: string;
}

/** Starts the same with a signed-in terminal, the chosen app Crane, and a key of it with every scope. */
export async function openCrane(): Promise<Crane> {
  const home = await openConsole();
  const { terminal, token } = home;
  await terminal.run('login --with-token', { stdin: token });
  const appId = String((await terminal.run('apps create --name Crane')).lines()[0]?.id);
  await terminal.run('use Crane');
  const created = await terminal.run('keys create --name CI --preset everything --expires-in-days 30 --json key.id');
  return { ...home, appId, keyId: String(created.lines()[0]?.['key.id']) };
}
