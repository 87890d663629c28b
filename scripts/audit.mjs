// `npm run audit`: asks the registry for the advisories of every package in the lock files. Exit code 0: no shipped
// package has one. 1: a shipped package has one. 3: the registry returned no advisories, so the result is unknown.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './stamp.mjs';

/** The folders with their own lock file. The packages of the last three are tools, which are not shipped. */
const FOLDERS = [
  { folder: '.', args: ['--omit=dev'], isShipped: true },
  { folder: '.', args: [], isShipped: false },
  { folder: 'contract/lint', args: [], isShipped: false },
  { folder: 'sdk/checks', args: [], isShipped: false },
  { folder: 'scripts/newest-node', args: [], isShipped: false },
];

/** Returns the advisories in a report of `npm audit --json`; undefined if the registry returned none. */
function readReport(text) {
  const report = parse(text);
  if (!report?.vulnerabilities || report.error) return undefined;
  const lines = Object.values(report.vulnerabilities).flatMap(({ name, via, fixAvailable }) =>
    via
      .filter((one) => typeof one === 'object')
      .map((one) => `${one.severity}: ${name} ${one.range}: ${one.title} (${one.url}${hintOf(fixAvailable)})`),
  );
  return [...new Set(lines)];
}

function hintOf(fix) {
  if (!fix) return '; no fix yet';
  return fix === true ? '; npm audit fix' : `; fixed with ${fix.name} ${fix.version}`;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function ask({ folder, args }) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { stdout } = spawnSync(npm, ['audit', '--json', ...args], {
    cwd: join(root, folder),
    encoding: 'utf8',
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return readReport(stdout ?? '');
}

function audit() {
  const shipped = new Set();
  for (const lockFile of FOLDERS) {
    const found = ask(lockFile);
    if (!found) {
      console.log(
        'The registry answers no advisories: it is not known whether a package has one. Ask a registry that does.',
      );
      return 3;
    }
    if (lockFile.isShipped) for (const line of found) shipped.add(line);
    const label = lockFile.isShipped ? 'shipped' : `not shipped, ${lockFile.folder}`;
    for (const line of found) if (lockFile.isShipped || !shipped.has(line)) console.log(`${label}: ${line}`);
  }
  if (shipped.size === 0) console.log('No package that is shipped has a known advisory.');
  return shipped.size === 0 ? 0 : 1;
}

process.exitCode = audit();
