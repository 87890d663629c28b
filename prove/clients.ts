// `npm run prove -- clients [--only NAME,NAME]`: tools of other people on the unchanged contract, in one table, and the
// SDKs with the tools of their languages. A NAME is one of: openapi-generator-java, openapi-generator-python,
// openapi-generator-typescript, openapi-generator-go, oapi-codegen, ogen, openapi-python-client, hey-api, orval,
// openapi-typescript, prism, postman, renderers, sdks. The tools are installed through npm, pip, Go and Maven into a
// temporary folder, in the versions of prove/clients/tools.json. A tool that cannot be installed fails. All tools take
// about half an hour.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argument } from '../bench/kit.ts';
import { createBenchServer, start } from '../bench/server.ts';
import { useScratch } from '../scripts/temporary-folder.ts';
import { GENERATORS, isComplete, type Row, tableOf, tryGenerator } from './clients/generators.ts';
import { checkPostman } from './clients/postman.ts';
import { checkPrism } from './clients/prism.ts';
import { checkRenderers } from './clients/renderers.ts';
import { checkSdks } from './clients/sdks.ts';
import { prepareTarget, type Target } from './clients/target.ts';
import { type Check, conclude } from './kit.ts';

/** The other tools, each with a name for its failure. */
const OTHERS: Readonly<Record<string, (target: Target, folder: string) => Promise<Check[]>>> = {
  prism: checkPrism,
  postman: checkPostman,
  renderers: checkRenderers,
};

const names = [...GENERATORS.map(({ name }) => name), ...Object.keys(OTHERS), 'sdks'];
const only = argument('--only')?.split(',') ?? names;
const unknown = only.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(', ')}. The names are ${names.join(', ')}.`);

async function tryTools(folder: string): Promise<Check[]> {
  const at = await createBenchServer();
  const checks: Check[] = [];
  const rows: Row[] = [];
  try {
    const started = await start(at, [process.execPath, 'scripts/start.mjs']);
    try {
      const target = await prepareTarget(at);
      for (const generator of GENERATORS.filter(({ name }) => only.includes(name))) {
        const own = join(folder, generator.name);
        const row = await tryGenerator(generator, target, own);
        rows.push(row);
        rmSync(own, { recursive: true, force: true });
        // The table comes after the last tool, and a tool can take minutes.
        console.error(rowCheck(row).figure, row.tool, ...row.reasons);
      }
      for (const [name, check] of Object.entries(OTHERS)) {
        if (!only.includes(name)) continue;
        const found = await checkOther(name, () => check(target, join(folder, name)));
        checks.push(...found);
        console.error(...found.map((one) => `${one.ok ? 'ok' : 'FAIL'} ${one.name}: ${one.figure}\n`));
      }
    } finally {
      await started.stop();
    }
  } finally {
    at.remove();
  }
  if (rows.length > 0 && !process.argv.includes('--json')) console.log(tableOf(rows));
  return [...rows.map(rowCheck), ...checks];
}

/** Returns a failed check if the tool cannot be installed or ends with an error. */
async function checkOther(name: string, check: () => Promise<Check[]>): Promise<Check[]> {
  try {
    return await check();
  } catch (error) {
    return [{ name, ok: false, figure: error instanceof Error ? error.message : String(error) }];
  }
}

function rowCheck(row: Row): Check {
  const done = Object.values(row.cells).filter((cell) => cell.startsWith('ok')).length;
  return { name: row.tool, ok: isComplete(row), figure: `${done} of ${Object.keys(row.cells).length} steps` };
}

// In memory if there is room: the tools are tens of thousands of files, and removing them from a disk can take longer than all tools.
useScratch();
const checks: Check[] = [];
if (only.some((name) => name !== 'sdks')) {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-clients-'));
  try {
    checks.push(...(await tryTools(folder)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
if (only.includes('sdks')) checks.push(...(await checkSdks()));
conclude('clients', checks);
