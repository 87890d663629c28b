// `npm test`: builds, runs every suite, and prints the slowest files, the processor time and, as its last line, how
// many tests passed and failed. Further arguments are passed to vitest.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { buildAll } from './build.mjs';
import { root } from './stamp.mjs';

const folder = mkdtempSync(join(tmpdir(), 'slipway-report-'));
let counts = { passed: 0, failed: 0, names: [] };
try {
  await buildAll();
  const reportFile = join(folder, 'report.json');
  const exitCode = await runVitest(reportFile);
  counts = countTests(reportFile, exitCode);
  process.exitCode = exitCode === 0 && counts.passed > 0 && counts.failed === 0 ? 0 : 1;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
  const seconds = processorSeconds();
  if (seconds !== undefined) console.log(`Processor time: ${seconds.toFixed(0)} s`);
  for (const name of counts.names) console.log(`FAILED: ${name}`);
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
}

// Returns the time of all child processes and their descendants, as Linux counts it (proc(5): cutime and cstime, in
// ticks of 10 ms).
function processorSeconds() {
  if (!existsSync('/proc/self/stat')) return undefined;
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

function runVitest(reportFile) {
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
  const durations = join(root, 'scripts/durations.ts');
  const reporters = [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportFile}`,
    `--reporter=${durations}`,
  ];
  const args = [vitest, 'run', ...reporters, ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

// A file that could not be read has no tests, and an error outside of all tests belongs to none: each counts as a
// failure.
function countTests(reportFile, exitCode) {
  const report = JSON.parse(readFileSync(reportFile, 'utf8'));
  const names = report.testResults.filter((file) => file.status === 'failed').flatMap(failuresOf);
  if (exitCode !== 0 && names.length === 0) names.push('an error outside of all tests: see above');
  return { passed: report.numPassedTests, failed: names.length, names };
}

function failuresOf(file) {
  const path = relative(root, file.name);
  const failed = file.assertionResults.filter((result) => result.status === 'failed');
  if (failed.length === 0) return [`${path}: ${firstLine(file.message)}`];
  return failed.map(({ fullName, failureMessages: [message] }) => `${path}: ${fullName}: ${summaryOf(message)}`);
}

function firstLine(text = '') {
  return text.split('\n', 1)[0];
}

// Returns the first line, what a browser waited for, and the line of the test.
function summaryOf(message = '') {
  const text = stripVTControlCharacters(message);
  const awaited = /^\s*- (waiting for .*)$/m.exec(text)?.[1];
  const line = /\.test\.ts:(\d+)/.exec(text)?.[1];
  return [firstLine(text), awaited, line && `line ${line}`].filter(Boolean).join('; ');
}
