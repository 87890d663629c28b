// Every place in the repository that states the version of the next release. package.json decides; the others follow.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface StatedVersion {
  file: string;
  /** Undefined if the file states no version where one is expected. */
  version: string | undefined;
}

const SEMANTIC = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;

const MANIFEST = /^ {2}"version": "(?<version>[^"]+)"/gm;
const SDK_DEPENDENCY = /"@slipway\/sdk": "(?<version>\d[^"]*)"/g;

/** The patterns of each file. Each match has the version in the group `version`. */
const PLACES: Record<string, readonly RegExp[]> = {
  'package.json': [MANIFEST],
  'sdk/package.json': [MANIFEST],
  'server/package.json': [MANIFEST],
  'cli/package.json': [MANIFEST, SDK_DEPENDENCY],
  'console/package.json': [MANIFEST, SDK_DEPENDENCY],
  'package-lock.json': [/"name": "(?:slipway|@slipway\/\w+)",\s+"version": "(?<version>[^"]+)"/g, SDK_DEPENDENCY],
  'cli/src/version.ts': [/^export const VERSION = '(?<version>[^']+)'/gm],
  'sdk-python/pyproject.toml': [/^version = "(?<version>[^"]+)"/gm],
  'sdk-python/src/slipway/__init__.py': [/^__version__ = "(?<version>[^"]+)"/gm],
  'sdk/README.md': [/slipway-sdk-(?<version>\d\S*)\.tgz/g],
  'cli/README.md': [/slipway-cli-(?<version>\d\S*)\.tgz/g],
  'server/README.md': [/slipway-server-(?<version>\d\S*)\.tgz/g],
  'sdk-python/README.md': [/slipway_sdk-(?<version>\d\S*)-py3/g],
  'sdk-go/README.md': [/@v(?<version>\d[\w.-]*)/g],
  'docs/operate/install.md': [/slipway-server-(?<version>\d\S*)\.tgz/g],
  'docs/start/quickstart.md': [/slipway-(?:server|cli|sdk)-(?<version>\d\S*)\.tgz/g],
  'deploy/github-action/action.yml': [/@slipway\/cli@(?<version>\d[\w.-]*)/g],
  'deploy/helm/slipway/Chart.yaml': [/^(?:version|appVersion): (?<version>\S+)/gm],
};

/** The files that state the version. */
export const VERSION_FILES: readonly string[] = Object.keys(PLACES);

/** Returns the version that each place states, the one of package.json first. */
export function readVersions(root: string): StatedVersion[] {
  return Object.entries(PLACES).flatMap(([file, patterns]) => {
    const text = readFileSync(join(root, file), 'utf8');
    return patterns.flatMap((pattern): StatedVersion[] => {
      const found = [...text.matchAll(pattern)].map(({ groups }) => ({ file, version: groups?.version }));
      return found.length === 0 ? [{ file, version: undefined }] : found;
    });
  });
}

/** Returns the version of package.json. Throws if a place states another version or none. */
export function readOneVersion(root: string): string {
  const [own, ...others] = readVersions(root);
  const version = own?.version ?? '';
  const different = others.filter((other) => other.version !== version);
  if (different.length === 0) return version;
  const lines = different.map((other) => `${other.file} states ${other.version ?? 'no version'}`);
  throw new Error(
    `package.json states the version ${version}, but ${lines.join(', ')}. Run: npm run release -- --set-version ${version}`,
  );
}

/** Writes a version into every place. Returns the changed files. */
export function writeVersion(root: string, version: string): string[] {
  if (!SEMANTIC.test(version)) throw new Error(`"${version}" is not a version like 1.2.3 or 1.2.3-rc.1.`);
  return Object.entries(PLACES).flatMap(([file, patterns]) => {
    const before = readFileSync(join(root, file), 'utf8');
    let text = before;
    for (const pattern of patterns) text = text.replaceAll(pattern, (...match) => replaceVersion(match, version));
    if (text === before) return [];
    writeFileSync(join(root, file), text);
    return [file];
  });
}

/** Replaces the version in a match. `match` has the arguments of a replacer function: the match, then its groups. */
function replaceVersion(match: unknown[], version: string): string {
  const [text, old] = match as [string, string]; // the only group of each pattern is the version
  return text.slice(0, text.lastIndexOf(old)) + version + text.slice(text.lastIndexOf(old) + old.length);
}
