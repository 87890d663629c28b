// Runs `npm run audit` with an npm that responds like a registry: with advisories, without any, and with a failure.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from './slipway.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-audit-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const NOTHING = JSON.stringify({ auditReportVersion: 2, vulnerabilities: {} });
const FOUND = JSON.stringify({
  auditReportVersion: 2,
  vulnerabilities: {
    leftish: {
      name: 'leftish',
      via: [{ severity: 'high', range: '<2.0.1', title: 'Reads too much', url: 'urn:GHSA-1' }, 'another'],
      fixAvailable: { name: 'leftish', version: '2.0.1' },
    },
  },
});
const REFUSED = JSON.stringify({ message: '405 Method Not Allowed', statusCode: 405, error: { summary: '' } });

/** Runs the script with an npm that prints one text for the shipped packages and another for all. */
function audit(shipped: string, all: string): [status: number | null, lines: string[]] {
  const npm = join(folder, 'npm');
  writeFileSync(npm, `#!/bin/sh\ncase "$*" in *--omit=dev*) echo '${shipped}' ;; *) echo '${all}' ;; esac\nexit 1\n`);
  chmodSync(npm, 0o755);
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'scripts/audit.mjs')], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` },
  });
  return [status, stdout.trim().split('\n')];
}

const LINE = 'high: leftish <2.0.1: Reads too much (urn:GHSA-1; fixed with leftish 2.0.1)';

test('npm run audit fails if a shipped package has an advisory, and names it once', () => {
  expect(audit(FOUND, FOUND)).toEqual([1, [`shipped: ${LINE}`]]);
});

test('npm run audit passes if only tools have an advisory, and names each with its folder', () => {
  const labels = ['.', 'contract/lint', 'sdk/checks', 'scripts/newest-node'].map(
    (one) => `not shipped, ${one}: ${LINE}`,
  );
  expect(audit(NOTHING, FOUND)).toEqual([0, [...labels, 'No package that is shipped has a known advisory.']]);
});

test.each([
  ['a refusal', REFUSED],
  ['no JSON', 'npm error network'],
])('npm run audit reports %s from the registry as unknown', (_, text) => {
  expect(audit(text, text)).toEqual([3, [expect.stringContaining('it is not known whether a package has one')]]);
});
