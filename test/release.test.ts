// The parts of a release that need no build: versions, source, notes, licences, Go module, workflows.
// `npm run prove -- release` builds and installs the artefacts.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { licencesOf } from '../scripts/licences.mjs';
import { goModulePath, isPlaceholder, packGo } from '../scripts/release/go.ts';
import { commitList, sectionOf } from '../scripts/release/notes.ts';
import { readSource, type Source } from '../scripts/release/source.ts';
import { readOneVersion, readVersions, VERSION_FILES, writeVersion } from '../scripts/release/versions.ts';
import { root } from './slipway.ts';

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-release-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function commitAll(): void {
  const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
  const env = { ...process.env, GIT_COMMITTER_DATE: '2026-01-02T03:04:06Z', GIT_AUTHOR_DATE: '2026-01-02T03:04:06Z' };
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
    [...author, 'commit', '--quiet', '-m', 'feat: begin'],
  ])
    execFileSync('git', args, { cwd: folder, env });
}

describe('the version', () => {
  beforeEach(() => {
    for (const path of VERSION_FILES) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      cpSync(join(root, path), join(folder, path));
    }
  });

  test('all files of the repository state the same version', () => {
    expect(readVersions(root).filter(({ version }) => version !== readOneVersion(root))).toEqual([]);
  });

  test.each(VERSION_FILES.slice(1))('a release fails if %s states another version than package.json', (path) => {
    const { version = '' } = readVersions(folder)[0] ?? {};
    write(path, readFileSync(join(folder, path), 'utf8').replaceAll(version, '9.8.7'));
    expect(() => readOneVersion(folder)).toThrow(`${path} states 9.8.7`);
    write(path, 'nothing');
    expect(() => readOneVersion(folder)).toThrow(`${path} states no version`);
  });

  test('--set-version writes the version into every file that states it, and into no other file', () => {
    const version = readOneVersion(folder);
    expect(writeVersion(folder, '12.34.56-rc.1')).toEqual(VERSION_FILES);
    expect(readOneVersion(folder)).toBe('12.34.56-rc.1');
    writeVersion(folder, version);
    for (const path of VERSION_FILES) expect(readFileSync(join(folder, path), 'utf8')).toBe(textOf(path));
  });

  test.each(['1.2', 'v1.2.3', '1.2.3 ', ''])('--set-version refuses %j', (version) => {
    expect(() => writeVersion(folder, version)).toThrow('is not a version like 1.2.3');
  });

  test('a release requires an unchanged working tree', () => {
    commitAll();
    const source = readSource(folder);
    expect(source).toMatchObject({
      version: readOneVersion(folder),
      epochSeconds: Date.UTC(2026, 0, 2, 3, 4, 6) / 1000,
    });
    write('further.txt', '');
    expect(() => readSource(folder)).toThrow('differs from the commit in 1 files, for example ?? further.txt');
  });
});

describe('the Go module', () => {
  test('is a module proxy whose zip contains the tracked files only, and no entries for folders', () => {
    write('sdk-go/go.mod', 'module example.org/Team/module\n\ngo 1.23\n');
    write('sdk-go/webhooks/webhooks.go', 'package webhooks\n');
    commitAll();
    write('sdk-go/untracked.go', 'package module\n');
    const source: Source = { root: folder, version: '1.2.3', commit: '', epochSeconds: 1_767_323_046 };
    const proxy = join(folder, 'out/go/example.org/!team/module/@v');
    packGo(source, join(folder, 'out'));
    const zip = readFileSync(join(proxy, 'v1.2.3.zip'));
    const start = 'example.org/Team/module@v1.2.3';
    expect(Object.keys(unzipSync(zip))).toEqual([`${start}/go.mod`, `${start}/webhooks/webhooks.go`]);
    expect(readFileSync(join(proxy, 'v1.2.3.info'), 'utf8')).toBe(
      '{"Version":"v1.2.3","Time":"2026-01-02T03:04:06Z"}\n',
    );
    expect(readFileSync(join(proxy, 'v1.2.3.mod'), 'utf8')).toContain('module example.org/Team/module');
    expect(readFileSync(join(proxy, 'list'), 'utf8')).toBe('v1.2.3\n');
  });

  test('a release refuses a placeholder as the path of the Go module', () => {
    expect(isPlaceholder('slipway.example/slipway')).toBe(true);
    expect(isPlaceholder('example.org/team/slipway')).toBe(false);
    expect(goModulePath(root)).toMatch(/^[\w./-]+$/);
  });
});

describe('the notes', () => {
  const CHANGELOG = '# Changelog\n\n## Unreleased\n\n### Added\n\n- A.\n\n## 1.0.0 (2026-01-01)\n\nFirst.\n';

  test('release notes contain the section of a heading without the sections after it', () => {
    expect(sectionOf(CHANGELOG, 'Unreleased')).toBe('### Added\n\n- A.');
    expect(sectionOf(CHANGELOG, '1.0.0')).toBe('First.');
    expect(sectionOf(CHANGELOG, '1.0')).toBeUndefined();
  });

  test('list features, fixes and performance by type, and breaking changes first', () => {
    const commits = ['feat(cli): add x', 'docs: say y', 'fix!: refuse z', 'perf(api): read less'].map(
      (subject, at) => ({
        subject,
        hash: `h${at}`,
      }),
    );
    expect(commitList(commits)).toBe(
      [
        '### Breaking changes\n\n- refuse z (h2)\n',
        '### Features\n\n- cli: add x (h0)\n',
        '### Fixes\n\n- refuse z (h2)\n',
        '### Performance\n\n- api: read less (h3)\n',
      ].join('\n'),
    );
  });
});

describe('the licences', () => {
  const manifest = (name: string, fields: object): void =>
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', ...fields }));
  const modules = (...names: string[]): string[] => names.map((name) => join(folder, 'node_modules', name, 'lib/a.js'));

  test('the licence file contains the text of each bundled package once', () => {
    manifest('@team/one', { license: 'MIT' });
    write('node_modules/@team/one/LICENSE.md', 'Permission is granted.\n');
    manifest('two', { license: 'ISC' });
    const text = licencesOf([...modules('two', '@team/one', 'two'), join(folder, 'src/own.ts')]);
    expect(text.match(/^.+ 1\.0\.0$/gm)).toEqual(['@team/one 1.0.0', 'two 1.0.0']);
    expect(text).toContain('Licence: MIT\n\nPermission is granted.');
  });

  test('are refused for a package without a licence', () => {
    manifest('three', {});
    expect(() => licencesOf(modules('three'))).toThrow('three names no licence.');
  });
});

interface Job {
  permissions?: Record<string, string>;
  steps: { uses?: string; run?: string }[];
}

describe('the workflows', () => {
  const folderOfWorkflows = '.github/workflows';
  const files = readdirSync(join(root, folderOfWorkflows)).map((name) => `${folderOfWorkflows}/${name}`);
  const jobsOf = (file: string): [string, Job][] =>
    Object.entries((parse(textOf(file)) as { jobs: Record<string, Job> }).jobs); // the format of the forge

  test('pin each action by one hash, with its version as a comment', () => {
    const uses = [...files, 'deploy/github-action/action.yml'].flatMap((file) => [
      ...textOf(file).matchAll(/^ +- uses: (.+)$|^ +uses: (.+)$/gm),
    ]);
    const pins = uses.map(([, step, other]) => step ?? other ?? '');
    expect(pins.length).toBeGreaterThan(5);
    expect(pins.filter((pin) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(pin))).toEqual([]);
    const hashes = new Map(pins.map((pin) => [pin.split('@')[0], pin]));
    expect(pins.filter((pin) => hashes.get(pin.split('@')[0]) !== pin)).toEqual([]);
  });

  test('run only scripts that package.json has', () => {
    const scripts = files.flatMap((file) => [...textOf(file).matchAll(/npm run ([\w-]+)/g)].map(([, name]) => name));
    const { scripts: known } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    expect(scripts.length).toBeGreaterThan(1);
    expect(scripts.filter((name) => !Object.hasOwn(known, name ?? ''))).toEqual([]);
  });

  test('run no code of the repository in a job that may publish', () => {
    for (const [name, { permissions = {}, steps }] of files.flatMap(jobsOf)) {
      const mayPublish = Object.values(permissions).includes('write');
      const runsCode = steps.some(
        ({ uses = '', run = '' }) => /actions\/checkout/.test(uses) || /npm (ci|run)|\.ci/.test(run),
      );
      expect([name, mayPublish && runsCode]).toEqual([name, false]);
    }
  });
});

test('the last stage of the Dockerfile runs no program', () => {
  const last =
    textOf('Dockerfile')
      .split(/^FROM /m)
      .at(-1) ?? '';
  expect(last).toContain('COPY --from=build /image /slipway');
  expect(last).not.toMatch(/^(?:RUN|ADD) /m);
});
