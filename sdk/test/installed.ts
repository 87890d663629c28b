// Builds and packs the package, and installs it into an empty project.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Installed {
  folder: string;
  /** Paths in the tarball. */
  packed: string[];
  /**
   * Type-checks and compiles the project's TypeScript. Returns each place of an error as `file(line`, and the whole
   * output.
   */
  compile(): { places: string[]; text: string };
  run(file: string, settings?: Record<string, string>): Program;
  remove(): void;
}

export interface Program {
  child: ChildProcess;
  /** Resolves with the output after exit code 0. */
  done: Promise<string>;
  /** Resolves once the program has printed the text. */
  says(text: string): Promise<void>;
}

function npm(folder: string, ...args: string[]): string {
  return execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
}

export async function installPackage(): Promise<Installed> {
  const home = mkdtempSync(join(tmpdir(), 'slipway-sdk-'));
  const folder = join(home, 'project');
  mkdirSync(folder);
  const { buildSdk } = (await import(pathToFileURL(join(root, 'scripts/build-sdk.mjs')).href)) as {
    buildSdk(outDir: string): void;
  };
  buildSdk(join(home, 'dist'));
  const [tarball] = JSON.parse(npm(home, 'pack', './dist', '--json')) as {
    filename: string;
    files: { path: string }[];
  }[];
  if (!tarball) throw new Error('npm packed nothing.');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }));
  npm(folder, 'install', join(home, tarball.filename.replace('@', '').replace('/', '-')));
  return {
    folder,
    packed: tarball.files.map(({ path }) => path).sort(),
    compile: () => compile(folder),
    run: (file, settings = {}) => run(folder, file, settings),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

function compile(folder: string): { places: string[]; text: string } {
  const options = {
    target: 'ES2022',
    lib: ['ES2023'],
    module: 'Node16',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, include: ['*.ts', '*.cts'] }),
  );
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
  for (const name of ['@types/node', 'undici-types']) {
    const link = join(folder, 'node_modules', name);
    rmSync(link, { force: true });
    symlinkSync(join(root, 'node_modules', name), link, 'junction');
  }
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { cwd: folder, encoding: 'utf8' });
  return { places: [...stdout.matchAll(/^[^\s(]+\(\d+/gm)].map(([place]) => place), text: stdout };
}

function run(folder: string, file: string, settings: Record<string, string>): Program {
  const child = spawn(process.execPath, ['--enable-source-maps', file], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const waiting = new Map<string, () => void>();
  const onText = (chunk: Buffer): void => {
    text += chunk;
    for (const [wanted, resolve] of waiting) if (text.includes(wanted)) resolve();
  };
  child.stdout.on('data', onText);
  child.stderr.on('data', onText);
  const done = new Promise<string>((resolve, reject) => {
    child.once('close', (code) => (code === 0 ? resolve(text) : reject(new Error(`It ended with ${code}.\n${text}`))));
  });
  done.catch(() => {}); // a receiver is ended by a signal
  const says = (wanted: string): Promise<void> =>
    text.includes(wanted)
      ? Promise.resolve()
      : Promise.race([
          new Promise<void>((resolve) => waiting.set(wanted, resolve)),
          done.then(
            () => Promise.reject(new Error(`It ended without saying "${wanted}".\n${text}`)),
            (error: unknown) => Promise.reject(error),
          ),
        ]);
  return { child, done, says };
}

/**
 * Returns the programs of a page. A block with imports starts a program, and following blocks without imports continue
 * it.
 */
export function programsOf(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const programs: string[] = [];
  for (const [, block = ''] of text.matchAll(/```ts\n([\s\S]*?)```/g)) {
    if (/^import /m.test(block)) programs.push(block);
    else programs.push(`${programs.pop() ?? ''}\n${block}`);
  }
  return programs;
}
