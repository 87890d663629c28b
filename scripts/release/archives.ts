// Archives of the commit (the context of the container image, the Helm chart), and the site for a static host.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool, type Source, toolEnvironment } from './source.ts';
import { filesBelow } from './stage.ts';
import { writeZip } from './zip.ts';

/** Archives the commit's files below a folder. Git gives each file the time of the commit. */
function archive(source: Source, folder: string, file: string, prefix: string): void {
  const args = ['-c', 'tar.umask=0022', 'archive', '--format=tar.gz', `--prefix=${prefix}`, '-o', file, 'HEAD'];
  runTool('git', args, { cwd: join(source.root, folder), env: toolEnvironment(source) });
}

/** Archives the whole commit: `docker build - < FILE` builds the image, as the Dockerfile describes it. */
export function packContext(source: Source, out: string): void {
  archive(source, '.', join(out, `slipway-context-${source.version}.tar.gz`), '');
}

/** Archives the chart, under the name and in the layout of `helm package`. */
export function packChart(source: Source, out: string): void {
  archive(source, 'deploy/helm/slipway', join(out, `slipway-${source.version}.tgz`), 'slipway/');
}

/**
 * Builds the site for the root of a static host, and archives it without compressed files: hosts compress files
 * themselves.
 */
export function packSite(source: Source, stages: string, out: string): void {
  const folder = join(stages, 'site');
  const build = ['scripts/run-ts.mjs', 'scripts/site.ts', '--base', '/', '--out', folder];
  runTool(process.execPath, build, { cwd: source.root, env: toolEnvironment(source) });
  const files = filesBelow(folder).filter((path) => !path.endsWith('.br'));
  const contents = new Map(files.map((path) => [path, readFileSync(join(folder, path))] as const));
  writeZip(join(out, `slipway-docs-${source.version}.zip`), contents, source.epochSeconds);
}
