// The software bill of materials in CycloneDX: the shipped npm packages with their versions, hashes and licences, and
// the artefacts of the release. The SDKs have no dependencies.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { goModulePath } from './go.ts';
import { runTool, type Source, toolEnvironment } from './source.ts';

export interface ArtefactHash {
  path: string;
  sha256: string;
}

interface Component {
  [field: string]: unknown;
}
interface Document {
  serialNumber: string;
  metadata: { timestamp: string; component: { name: string } };
  components: Component[];
}

/** Returns a UUID that the same text always has (RFC 9562, version 8). */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function librariesOf({ root, version }: Source): Component[] {
  const license = { licenses: [{ license: { id: 'Apache-2.0' } }] };
  const library = (name: string, purl: string): Component => ({
    ...{ 'bom-ref': purl, type: 'library', name, version, purl },
    ...license,
  });
  return [
    library('slipway-sdk', `pkg:pypi/slipway-sdk@${version}`),
    library(goModulePath(root), `pkg:golang/${goModulePath(root)}@v${version}`),
  ];
}

/** Writes the document. npm writes a random number and the current time; both are replaced by values of the commit. */
export function writeSbom(source: Source, artefacts: readonly ArtefactHash[], out: string): void {
  const args = ['sbom', '--package-lock-only', '--omit', 'dev', '--sbom-format', 'cyclonedx'];
  const text = runTool('npm', [...args, '--sbom-type', 'application'], {
    cwd: source.root,
    env: toolEnvironment(source),
  });
  const document = JSON.parse(text) as Document; // the format of npm
  document.serialNumber = `urn:uuid:${uuidOf(`${source.commit} ${source.version}`)}`;
  // npm names the component after the folder of the checkout.
  document.metadata.component.name = 'slipway';
  document.metadata.timestamp = new Date(source.epochSeconds * 1000).toISOString();
  const files = artefacts.map(({ path, sha256 }) => ({
    ...{ 'bom-ref': `file:${path}`, type: 'file', name: path },
    hashes: [{ alg: 'SHA-256', content: sha256 }],
  }));
  document.components.push(...librariesOf(source), ...files);
  writeFileSync(join(out, `slipway-${source.version}.cdx.json`), `${JSON.stringify(document, null, 2)}\n`);
}
