// Conditions of a release. A dry run lists the unmet conditions; the release of a tag requires that all are met.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseImages, hasDigest } from '../images.ts';
import { goModulePath, isPlaceholder } from './go.ts';
import { readReleaseRecord, sectionOf } from './notes.ts';
import { git, type Source } from './source.ts';

interface Condition {
  /** The message if the condition is not met. */
  fault: string;
  isMet(source: Source): boolean;
}

const CONDITIONS: readonly Condition[] = [
  {
    fault: 'The commit has no tag of the version: tag it as vVERSION.',
    isMet: ({ root, version }) => git(root, 'tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`),
  },
  {
    fault: 'CHANGELOG.md has no section of the version, or still has entries under Unreleased: rename the section.',
    isMet: ({ root, version }) => {
      const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
      return sectionOf(changelog, version) !== undefined && !sectionOf(changelog, 'Unreleased');
    },
  },
  {
    fault: 'The contract of the version is not the released one: run `npm run contract -- --release`.',
    isMet: ({ root, version }) => {
      const read = (path: string): string => readFileSync(join(root, 'contract', path), 'utf8');
      return readReleaseRecord(root).version === version && read('openapi.json') === read('released/openapi.json');
    },
  },
  {
    fault: 'A base image has no digest: run `npm run images` where docker reaches the registry.',
    isMet: ({ root }) => baseImages(root).every(hasDigest),
  },
  {
    fault: 'package.json names no repository, which npm needs for a provenance statement.',
    isMet: ({ root }) => /"repository": \{/.test(readFileSync(join(root, 'package.json'), 'utf8')),
  },
  {
    fault: 'The path of the Go module is a placeholder.',
    isMet: ({ root }) => !isPlaceholder(goModulePath(root)),
  },
  {
    fault: 'A shipped package has a known advisory, or the registry returns no advisories: run `npm run audit`.',
    isMet: ({ root }) =>
      spawnSync(process.execPath, ['scripts/audit.mjs'], { cwd: root, stdio: 'ignore' }).status === 0,
  },
];

/** Returns the fault of each condition that is not met. */
export function unmetConditions(source: Source): string[] {
  return CONDITIONS.filter(({ isMet }) => !isMet(source)).map(({ fault }) => fault);
}
