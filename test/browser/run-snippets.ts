// Commands and programs that a page offers, run as somebody runs them who has taken them along.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../slipway.ts';

/** The reads of pages that only a person may make. */
export const REFUSING_TOKENS = [
  'getLiveAccessReview',
  'getOrganisationDeletion',
  'getSession',
  'getSignUpPolicy',
  'listLiveAccessReviews',
  'listMessages',
  'listOrganisations',
  'listSessions',
  'listUnprovedRequests',
];

/** A file of each text in a folder of its own, where the SDK is installed; what each came to when it was run as it stands. */
export async function runSnippets(
  texts: readonly { curl: string; sdk: string }[],
  token: string,
): Promise<{ answers: string[]; leftBehind: boolean }> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-snippets-'));
  try {
    mkdirSync(join(folder, 'node_modules/@slipway'), { recursive: true });
    symlinkSync(join(root, 'sdk/dist'), join(folder, 'node_modules/@slipway/sdk'));
    for (const [at, { curl, sdk }] of texts.entries()) {
      writeFileSync(join(folder, `${at}.sh`), curl);
      writeFileSync(join(folder, `${at}.mjs`), `${sdk}\nconsole.log(typeof answer);`);
    }
    const names = texts.map((_, at) => at);
    writeFileSync(
      join(folder, 'all.mjs'),
      `for (const at of ${JSON.stringify(names)}) await import('./' + at + '.mjs').catch((error) => console.log(error.message));`,
    );
    const settings = { cwd: folder, timeout: 30_000, env: { ...process.env, SLIPWAY_TOKEN: token } };
    const loop = `for at in ${names.join(' ')}; do sh $at.sh > answer; head -n 1 answer; done; node all.mjs`;
    // Not synchronously: the server would wait for somebody to read what it logs.
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', loop], settings);
    return { answers: `${stdout}${stderr}`.trim().split(/\r?\n/), leftBehind: existsSync(join(folder, 'hacked')) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
