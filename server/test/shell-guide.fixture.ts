// A guide whose commands are run in a shell, on a real Console. The fixture runs the guide's preparation and fills in
// an app and an access token.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { startConsole } from './console-app.ts';
import { foundOrganisation } from './organisation.fixture.ts';

export const readGuide = (name: string): string => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

/** Returns the commands of the guide's table, in order. */
export const commandsIn = (guide: string): string[] =>
  [...guide.matchAll(/^\| [^|]+ \| `(ask .+)` \|$/gm)].map(([, command = '']) => command);

export async function openShell(guide: string) {
  const site = await startConsole('local');
  const { owner, base } = await foundOrganisation(site);
  const apps = `/api/sandbox${base.replace('/api', '')}/apps`;
  const post = async <Body>(path: string, body: unknown): Promise<Body> =>
    (await owner.visitor.call<Body>('POST', path, body)).body;
  const app = (await post<{ id: string }>(apps, { name: 'Bridge' })).id;
  const input = { name: 'A script', scope: 'write', expiresInDays: 1 };
  const { token } = await post<{ token: string }>(`${base}/access-tokens`, input);
  const [, preamble = ''] = /```sh\n([\s\S]*?)```/.exec(guide) ?? [];
  const preparation = preamble
    .replace('http://localhost:3000', site.url)
    .replace('slp_...', token)
    .replace('$CONSOLE/api/sandbox/organisations/org_.../apps/app_...', `$CONSOLE${apps}/${app}`);
  const script = (command: string): string => `set -e\n${preparation}\n${command}`;
  return {
    script,
    run: async (command: string): Promise<string> =>
      (await promisify(execFile)('bash', ['-c', script(command)])).stdout,
    /** Sends a request as the owner in the Console. */
    post: <Body>(path: string, body: unknown) => post<Body>(`${apps}/${app}${path}`, body),
    close: () => site.close(),
  };
}

export type Shell = Awaited<ReturnType<typeof openShell>>;
