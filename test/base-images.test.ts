// Base images, and the files with secrets that no image and no commit may contain.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from './slipway.ts';

const COMPOSE = 'deploy/compose';
const textOf = (path: string, folder = root): string => readFileSync(join(folder, path), 'utf8');
const composeFiles = readdirSync(join(root, COMPOSE)).filter((name) => name.endsWith('.yaml'));

interface Compose {
  services: Record<string, { image?: string; build?: string; env_file?: string | string[] }>;
}
const servicesOf = (folder = root): Compose['services'][string][] =>
  composeFiles.flatMap((name) => {
    const { services } = parse(textOf(`${COMPOSE}/${name}`, folder), { merge: true }) as Compose; // the format of Docker Compose
    return Object.values(services);
  });

/** A copy of the files that the script reads, two folder levels below a separate folder. */
let copy: string;
let programs: string;
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'slipway-images-'));
  programs = mkdtempSync(join(tmpdir(), 'slipway-docker-'));
  cpSync(join(root, 'Dockerfile'), join(copy, 'Dockerfile'));
  cpSync(join(root, COMPOSE), join(copy, COMPOSE), { recursive: true });
  for (const file of ['Dockerfile', ...composeFiles.map((name) => `${COMPOSE}/${name}`)])
    writeFileSync(join(copy, file), textOf(file, copy).replaceAll(/@sha256:[0-9a-f]{64}/g, ''));
});
afterEach(() => {
  rmSync(copy, { recursive: true });
  rmSync(programs, { recursive: true });
});

const DIGEST = `sha256:${'ab'.repeat(32)}`;

/** Installs a docker that knows the digest of every image, or of all except one. */
function installDocker(unknown = 'none'): void {
  const docker = join(programs, 'docker');
  const manifest = JSON.stringify({ mediaType: 'index', digest: DIGEST, size: 1 });
  const script = `case "$*" in "buildx imagetools inspect ${unknown} "*) echo 'not found' >&2; exit 1 ;;
"buildx imagetools inspect "*" --format {{json .Manifest}}") echo '${manifest}' ;; *) exit 2 ;; esac`;
  writeFileSync(docker, `#!/bin/sh\n${script}\n`);
  chmodSync(docker, 0o755);
}

function images(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const run = spawnSync(process.execPath, ['scripts/run-ts.mjs', 'scripts/images.ts', ...args, copy], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${programs}${delimiter}${process.env.PATH}` },
  });
  return { status: run.status, stdout: run.stdout, stderr: run.stderr };
}

test('every stage of the Dockerfile starts from the argument that a release pins', () => {
  const stages = [...textOf('Dockerfile').matchAll(/^FROM (?:--platform=\S+ )?(\S+)/gm)].map(([, from]) => from);
  const argument = '$' + '{NODE_IMAGE}';
  expect(stages).toEqual([argument, argument]);
});

test('the check names each base image without a digest and fails', () => {
  const { status, stdout } = images('--check');
  expect(status).toBe(1);
  const [node = '', postgres = ''] = stdout.split('\n');
  expect(node).toMatch(/^Dockerfile: node:\d+-\S+ has no digest$/);
  expect(postgres).toMatch(/^deploy\/compose\/compose\.yaml: postgres:\d+ has no digest$/);
});

test('npm run images writes the digest of every image that is not built here, and the check then passes', () => {
  installDocker();
  expect(images()).toMatchObject({ status: 0, stderr: '' });
  expect(images('--check')).toEqual({ status: 0, stdout: '', stderr: '' });
  expect(textOf('Dockerfile', copy)).toMatch(new RegExp(`^ARG NODE_IMAGE=node:\\d+-\\S+@${DIGEST}$`, 'm'));
  const foreign = servicesOf(copy).filter(({ build }) => build === undefined);
  const named = foreign.flatMap(({ image }) => image ?? []);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((image) => !image.endsWith(`@${DIGEST}`))).toEqual([]);
});

test('npm run images replaces an older digest', () => {
  installDocker();
  const pinned = textOf('Dockerfile', copy).replace(/^(ARG NODE_IMAGE=\S+)$/m, `$1@sha256:${'0'.repeat(64)}`);
  writeFileSync(join(copy, 'Dockerfile'), pinned);
  expect(images().status).toBe(0);
  expect(textOf('Dockerfile', copy)).not.toContain('0'.repeat(64));
});

test('npm run images writes nothing if the registry does not know one of the images', () => {
  installDocker('postgres:18');
  const before = textOf('Dockerfile', copy);
  expect(images()).toEqual({
    status: 1,
    stdout: '',
    stderr: 'docker gives no digest of postgres:18: not found Nothing was written.\n',
  });
  expect(textOf('Dockerfile', copy)).toBe(before);
});

/**
 * Returns true if a pattern of .dockerignore or .gitignore covers the path. Patterns with a slash, or with two
 * asterisks and a slash at the beginning, mean the same in both files.
 */
function covers(pattern: string, path: string): boolean {
  const source = pattern
    .replace(/^\/|\/$/g, '')
    .split(/(\*\*\/|\*\*|\*)/)
    .map(
      (part) =>
        ({ '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*' })[part] ?? part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'),
    )
    .join('');
  return new RegExp(`^${source}(?:/.*)?$`).test(path);
}

test.each(['.dockerignore', '.gitignore'])('%s excludes every file of secrets that Compose reads', (file) => {
  const patterns = textOf(file).split('\n').filter(Boolean);
  expect(patterns.filter((one) => one.startsWith('!'))).toEqual([]);
  const named = servicesOf().flatMap(({ env_file = [] }) => env_file);
  const read = ['.env', ...named].map((name) => join(COMPOSE, name));
  expect(read.filter((path) => !patterns.some((pattern) => covers(pattern, path)))).toEqual([]);
  expect(patterns.some((pattern) => covers(pattern, 'deploy/elsewhere/further/.env'))).toBe(true);
  expect(patterns.some((pattern) => covers(pattern, `${COMPOSE}/compose.yaml`))).toBe(false);
});
