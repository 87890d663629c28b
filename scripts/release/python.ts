// The Python packages: a source distribution and a wheel, built by flit in the version of pyproject.toml.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool, type Source, toolEnvironment, trackedFiles } from './source.ts';
import { copyInto, setPermissions } from './stage.ts';

const BUILD = `import sys
from flit_core import buildapi

for build in (buildapi.build_sdist, buildapi.build_wheel):
    print(build(sys.argv[1]))
`;

/** Installs the build backend into a folder of the build, once per version. Returns the folder. */
export function installBackend(root: string): string {
  const project = readFileSync(join(root, 'sdk-python/pyproject.toml'), 'utf8');
  const requirement = /^requires = \["(flit_core==[\w.]+)"\]$/m.exec(project)?.[1];
  if (!requirement) throw new Error('sdk-python/pyproject.toml must require one exact version of flit_core.');
  const folder = join(root, '.build', requirement);
  if (!existsSync(folder)) {
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '--no-compile'];
    runTool('python3', [...pip, '--target', folder, requirement], { cwd: root });
  }
  return folder;
}

/** Builds both distributions of the project in a folder. */
export function buildPython(source: Pick<Source, 'root' | 'epochSeconds'>, project: string, out: string): void {
  const env = { ...toolEnvironment(source), PYTHONPATH: installBackend(source.root), PYTHONDONTWRITEBYTECODE: '1' };
  runTool('python3', ['-c', BUILD, out], { cwd: project, env });
}

export function packPython(source: Source, stages: string, out: string): void {
  const project = join(stages, 'sdk-python');
  mkdirSync(project);
  copyInto(project, join(source.root, 'sdk-python'), trackedFiles(source.root, 'sdk-python'));
  setPermissions(project);
  buildPython(source, project, out);
}
