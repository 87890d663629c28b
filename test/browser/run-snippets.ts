// Runs the commands and programs that a page offers, as a user would run copied ones.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PAGE_READS } from '../../console/src/shell/page-api/page-reads.ts';
import type { PageRead } from '../../console/src/shell/page-api/snippets.ts';
import { root } from '../slipway.ts';
import { ask, send } from '../visitor.ts';
import type { AppWithTraffic } from './app-with-traffic.ts';

/** Reads of pages that only a person may make, and no access token. */
export const REFUSING_TOKENS = [
  'getLiveAccessReview',
  'getOrganisationDeletion',
  'getSession',
  'getSignUpPolicy',
  'listLiveAccessReviews',
  'listMessages',
  'listOrganisations',
  'listSessions',
  'listUnauthenticatedRequests',
  'listUpstreamFailures',
];

/** Returns each read of the pages of a stocked app once, and a token that may make the reads. */
export async function readsOfPages(stocked: AppWithTraffic): Promise<{ reads: PageRead[]; token: string }> {
  const { organisationId, appId, cookie, instance } = stocked;
  const as = { cookie };
  const site = `${instance.consoleUrl}/api`;
  const app = `${site}/sandbox/organisations/${organisationId}/apps/${appId}`;
  const first = async (path: string): Promise<string> =>
    (await ask<{ data: { id: string }[] }>(`${app}/${path}?limit=1`, { headers: as })).body.data[0]?.id ?? '';
  const endpointId = await first('endpoints');
  const drill = await send<{ id: string }>(`${app}/endpoints/${endpointId}/drills`, undefined, as);
  const job = await send<{ id: string }>(`${app}/redeliveries`, { since: new Date(0).toISOString() }, as);
  const { token } = (
    await send<{ token: string }>(
      `${site}/organisations/${organisationId}/access-tokens`,
      { name: 'Snippets', scope: 'read', expiresInDays: 1 },
      as,
    )
  ).body;
  const search = {
    ...{
      request: await first('requests'),
      delivery: await first('deliveries'),
      drill: drill.body.id,
      job: job.body.id,
    },
    // Text in an address must stay a value in the shell.
    path: '\'"$(touch hacked)`touch hacked`\n',
  };
  const where = { params: { ...stocked, endpointId, requestId: 'lar_1' }, search, nowMs: Date.now() };
  const wheres = [undefined, 'deprecated', 'settings'].map((view) => ({ ...where, search: { ...search, view } }));
  const reads = new Map(
    Object.values(PAGE_READS)
      .flatMap((readsOf) => wheres.flatMap(readsOf))
      .map((one) => [JSON.stringify(one), one]),
  );
  return { reads: [...reads.values()], token };
}

/** Writes each text to a file in a separate folder with the SDK, and returns the output of running it unchanged. */
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
    // The test has a limit, and dozens of processes take long on a busy machine.
    const settings = { cwd: folder, env: { ...process.env, SLIPWAY_TOKEN: token } };
    const loop = `for at in ${names.join(' ')}; do sh $at.sh > answer; head -n 1 answer; done; node all.mjs`;
    // Asynchronous, because the server blocks unless this process reads its log.
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', loop], settings);
    return { answers: `${stdout}${stderr}`.trim().split(/\r?\n/), leftBehind: existsSync(join(folder, 'hacked')) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
