// Commands of other tools, and their installation through the package manager of each language. tools.json states the
// exact versions.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../bench/server.ts';

export type Command = readonly [string, ...string[]];

type Registry = 'maven' | 'go' | 'pip' | 'npm';

const versions = JSON.parse(readFileSync(join(root, 'prove/clients/tools.json'), 'utf8')) as Record<
  Registry,
  Record<string, string>
>; // the file has this structure, and versionOf throws on a missing name

export function versionOf(registry: Registry, name: string): string {
  const version = versions[registry][name];
  if (version === undefined) throw new Error(`tools.json has no version of ${name}.`);
  return version;
}

export interface Outcome {
  code: number | null;
  stdout: string;
  /** The last lines of both outputs. */
  lastLines: string;
}

/** Runs a command. Resolves after its end with any exit code; rejects if the program does not exist. */
export function execute([program, ...args]: Command, cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { stdout: '', both: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    texts.stdout += chunk;
    texts.both += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    texts.both += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code) => {
      resolve({ code, stdout: texts.stdout, lastLines: texts.both.trim().split('\n').slice(-30).join('\n') });
    });
  });
}

/** Runs commands one after the other. Throws an error with the last lines of the output if one of them fails. */
export async function executeAll(commands: readonly Command[], cwd: string, env?: NodeJS.ProcessEnv): Promise<void> {
  for (const command of commands) {
    const { code, lastLines } = await execute(command, cwd, env);
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}.\n${lastLines}`);
  }
}

/** Installs npm packages into `node_modules` of the folder. */
export async function installNpm(folder: string, names: readonly string[]): Promise<void> {
  const dependencies = Object.fromEntries(names.map((name) => [name, versionOf('npm', name)]));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'matrix', private: true, dependencies }));
  const flags = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await executeAll([['npm', 'install', ...flags]], folder);
}

/** Makes a virtual environment in `venv` of the folder. */
export function makeVenv(folder: string): Promise<void> {
  return executeAll([['python3', '-m', 'venv', 'venv']], folder);
}

/**
 * Installs the packages of openapi-python-client into a virtual environment. tools.json has its dependencies too, so
 * that CI is repeatable.
 */
export async function installPip(folder: string): Promise<void> {
  await makeVenv(folder);
  const wanted = Object.entries(versions.pip).map(([name, version]) => `${name}==${version}`);
  await executeAll([pip('--no-deps', ...wanted)], folder);
}

/** Returns the command that installs into the virtual environment. */
export function pip(...wanted: string[]): Command {
  return ['venv/bin/python', '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...wanted];
}

/** Makes the folder a Go module `matrix` with these tools and modules. A tool is `MODULE PACKAGE`. */
export function installGo(folder: string, tools: readonly string[], modules: readonly string[]): Promise<void> {
  return executeAll(
    [
      ['go', 'mod', 'init', 'matrix'],
      ...tools.map((tool): Command => {
        const [name = '', path = ''] = tool.split(' ');
        return ['go', 'get', '-tool', `${name}/${path}@${versionOf('go', name)}`];
      }),
      ...modules.map((name): Command => ['go', 'get', `${name}@${versionOf('go', name)}`]),
    ],
    folder,
  );
}

const DEPENDENCY_PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin';

/** Returns a command of Maven's dependency plugin. */
export function mavenDependency(goal: string, ...args: string[]): Command {
  return ['mvn', '-q', '-B', ...args, `${DEPENDENCY_PLUGIN}:${versionOf('maven', DEPENDENCY_PLUGIN)}:${goal}`];
}

/** Copies an artefact of Maven into `tool` of the folder. */
export function installMaven(folder: string, name: string): Promise<void> {
  const artefact = `-Dartifact=${name}:${versionOf('maven', name)}`;
  const to = [`-DoutputDirectory=${join(folder, 'tool')}`, '-Dmdep.stripVersion=true'];
  return executeAll([mavenDependency('copy', artefact, ...to)], folder);
}
