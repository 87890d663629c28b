// The supported versions of Node in the packages, the image and the start script.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './slipway.ts';

const RANGE = '^20.19.0 || ^22.12.0 || >=24.0.0';

interface Manifest {
  scripts?: Record<string, string>;
  engines?: { node?: string };
  dependencies?: Record<string, string>;
}
const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest; // the format of npm

test.each(['.', 'server', 'console'])('the package %s names the supported versions of Node', (folder) => {
  expect(manifestOf(folder).engines?.node).toBe(RANGE);
});

test('the image has the major version of Node that CI tests as the newest', () => {
  const [version = ''] = Object.values(manifestOf('scripts/newest-node').dependencies ?? {});
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  expect(/^ARG NODE_IMAGE=node:(\d+)-/m.exec(dockerfile)?.[1]).toBe(version.split('.')[0]);
});

test('the image and npm start set the young generation to one size on all versions of Node', () => {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const option = '--max-semi-space-size=32';
  expect(dockerfile).toMatch(new RegExp(`^ENV NODE_OPTIONS=${option}$`, 'm'));
  expect(manifestOf('.').scripts?.start).toBe(`node ${option} scripts/start.mjs`);
  const status = (variable: string | undefined): number | null =>
    spawnSync(process.execPath, ['-e', ''], { env: { NODE_OPTIONS: variable } }).status;
  expect([status(option), status('--no-such-option')]).toEqual([0, 9]);
});

test.each([
  '18.20.8',
  '20.18.3',
  '21.7.3',
  '22.11.0',
  '23.11.1',
])('npm start refuses Node %s and names those that it needs', (version) => {
  const fake = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const args = ['--import', `data:text/javascript,${fake}`, join(root, 'scripts/start.mjs')];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([
    1,
    `Slipway needs Node.js 24 or newer, 22.12 or 20.19, and this is ${version}. Install a current one from https://nodejs.org.\n`,
  ]);
});
