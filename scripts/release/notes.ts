// The notes of a release: its section of CHANGELOG.md, and the commits since the previous release.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git, type Source } from './source.ts';

export interface Commit {
  hash: string;
  subject: string;
}

const GROUPS: readonly (readonly [type: string, heading: string])[] = [
  ['feat', 'Features'],
  ['fix', 'Fixes'],
  ['perf', 'Performance'],
];

/** Returns the text below a heading of the changelog, without the heading; undefined if there is no such heading. */
export function sectionOf(changelog: string, heading: string): string | undefined {
  const lines = changelog.split('\n');
  const start = lines.findIndex((line) => line === `## ${heading}` || line.startsWith(`## ${heading} `));
  if (start === -1) return undefined;
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('## '));
  return lines
    .slice(start + 1, length === -1 ? undefined : start + 1 + length)
    .join('\n')
    .trim();
}

/**
 * Lists the commits that change what a user sees, by type. A `!` before the colon of a subject marks a breaking change.
 */
export function commitList(commits: readonly Commit[]): string {
  const line = ({ subject, hash }: Commit): string =>
    `- ${subject.replace(/^\w+(?:\(([^)]+)\))?!?: /, prefixOf)} (${hash})`;
  const breaking = commits.filter(({ subject }) => /^\w+(?:\([^)]+\))?!: /.test(subject));
  const groups = GROUPS.map(([type, heading]) => ({
    heading,
    commits: commits.filter(({ subject }) => new RegExp(`^${type}[(:!]`).test(subject)),
  }));
  return [{ heading: 'Breaking changes', commits: breaking }, ...groups]
    .filter((group) => group.commits.length > 0)
    .map((group) => `### ${group.heading}\n\n${group.commits.map(line).join('\n')}\n`)
    .join('\n');
}

const prefixOf = (_: string, scope: string | undefined): string => (scope === undefined ? '' : `${scope}: `);

export interface ReleaseRecord {
  version: string;
  commit: string;
}

/** Returns the release that contract/released/release.json records. */
export function readReleaseRecord(root: string): ReleaseRecord {
  return JSON.parse(readFileSync(join(root, 'contract/released/release.json'), 'utf8')) as ReleaseRecord; // written by `npm run contract -- --release`
}

/** Returns the newest tagged release before the commit. Without a tag, the recorded release. */
function previousRelease(root: string): ReleaseRecord {
  const tags = git(root, 'tag', '--merged', 'HEAD^', '--sort=-version:refname', '--list', 'v*').split('\n');
  const [tag = ''] = tags;
  return tag === '' ? readReleaseRecord(root) : { version: tag.slice(1), commit: tag };
}

/** Writes the notes. Before the release, the section of its version is still called Unreleased. */
export function writeNotes({ root, version }: Source, out: string): void {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const section = sectionOf(changelog, 'Unreleased') ?? sectionOf(changelog, version);
  if (section === undefined) throw new Error(`CHANGELOG.md must have a section "Unreleased" or "${version}".`);
  const previous = previousRelease(root);
  const log = git(root, 'log', '--no-merges', '--abbrev=10', '--format=%h%x09%s', `${previous.commit}..HEAD`);
  const commits = log
    .split('\n')
    .filter(Boolean)
    .map((line): Commit => {
      const [hash = '', subject = ''] = line.split('\t');
      return { hash, subject };
    });
  const text = [`# Slipway ${version}`, section, `## Commits since ${previous.version}`, commitList(commits)];
  writeFileSync(join(out, 'release-notes.md'), `${text.join('\n\n').trim()}\n`);
}
