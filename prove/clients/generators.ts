// Tools that generate a client from the contract. Each row of the matrix generates a client from the document, compiles
// the client, and runs a driver that lists all servers, creates a ticket twice under one idempotency key, and reads a
// refusal as a typed problem.
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../bench/server.ts';
import {
  type Command,
  execute,
  executeAll,
  installGo,
  installMaven,
  installNpm,
  installPip,
  makeVenv,
  mavenDependency,
  pip,
  versionOf,
} from './commands.ts';
import type { Target } from './target.ts';

export interface Generator {
  /** The name of its folder in `drivers`. */
  name: string;
  version: string;
  /** False if the tool needs the document without `webhooks`. */
  readsWebhooks: boolean;
  install(folder: string): Promise<void>;
  generate: readonly Command[];
  compile(folder: string): Promise<void>;
  run: Command;
}

const OPENAPI_GENERATOR = 'org.openapitools:openapi-generator-cli';
const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2';
const OGEN = 'github.com/ogen-go/ogen';

type OfOpenapiGenerator = Pick<Generator, 'compile' | 'run'> & {
  generator: string;
  args?: string[];
  alsoInstall?(folder: string): Promise<void>;
};

function openapiGenerator(language: string, tool: OfOpenapiGenerator): Generator {
  const { generator, args = [], alsoInstall, compile, run } = tool;
  return {
    name: `openapi-generator-${language}`,
    version: versionOf('maven', OPENAPI_GENERATOR),
    readsWebhooks: true,
    async install(folder) {
      await installMaven(folder, OPENAPI_GENERATOR);
      await alsoInstall?.(folder);
    },
    generate: [
      [
        'java',
        '-jar',
        'tool/openapi-generator-cli.jar',
        'generate',
        '-i',
        'openapi.json',
        '-g',
        generator,
        '-o',
        'client',
      ].concat(args) as [string, ...string[]], // concat loses the tuple
    ],
    compile,
    run,
  };
}

const TYPESCRIPT = ['typescript', '@types/node'];

const typescript = {
  compile(folder: string): Promise<void> {
    const compilerOptions = {
      strict: true,
      target: 'es2022',
      // CommonJS, in which the generated imports need no extension.
      module: 'nodenext',
      skipLibCheck: true,
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: ['node'],
      outDir: 'out',
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['driver.ts'] }));
    return executeAll([['node_modules/.bin/tsc', '-p', '.']], folder);
  },
  run: ['node', 'out/driver.js'] as const,
};

function npmGenerator(name: string, packages: readonly [string, ...string[]], generate: Command): Generator {
  const install = (folder: string) => installNpm(folder, [...packages, ...TYPESCRIPT]);
  const version = versionOf('npm', packages[0]);
  return { name, version, readsWebhooks: true, install, generate: [generate], ...typescript };
}

const go = {
  // With -mod=mod, Go adds what the generated code imports to go.mod.
  compile: (folder: string) => executeAll([['go', 'build', '-o', 'driver', '.']], folder, { GOFLAGS: '-mod=mod' }),
  run: ['./driver'] as const,
};

const python = { run: ['venv/bin/python', 'driver.py'] as const };

/** Compiles every generated class of Java, also those that the driver does not use. */
async function compileJava(folder: string): Promise<void> {
  const to = [`-DoutputDirectory=${join(folder, 'lib')}`, '-DincludeScope=compile'];
  await executeAll([mavenDependency('copy-dependencies', '-f', 'client/pom.xml', ...to)], folder);
  const sources = join('client', 'src', 'main', 'java');
  const files = readdirSync(join(folder, sources), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.java'))
    .map((file) => join(sources, file));
  writeFileSync(join(folder, 'sources'), [...files, 'Driver.java'].join('\n'));
  await executeAll([['javac', '-nowarn', '-d', 'classes', '-cp', 'lib/*', '@sources']], folder);
}

export const GENERATORS: readonly Generator[] = [
  openapiGenerator('java', {
    generator: 'java',
    // The classes of the default library refuse null in place of an object, which the document allows.
    args: ['--library', 'native'],
    compile: compileJava,
    run: ['java', '-cp', 'classes:lib/*', 'Driver'],
  }),
  openapiGenerator('python', {
    generator: 'python',
    alsoInstall: makeVenv,
    compile: (folder) => executeAll([pip('./client')], folder),
    ...python,
  }),
  openapiGenerator('typescript', {
    generator: 'typescript-fetch',
    alsoInstall: (folder) => installNpm(folder, TYPESCRIPT),
    ...typescript,
  }),
  openapiGenerator('go', {
    generator: 'go',
    args: ['--package-name', 'client', '--additional-properties', 'withGoMod=false'],
    alsoInstall: (folder) => installGo(folder, [], []),
    ...go,
  }),
  {
    name: 'oapi-codegen',
    version: versionOf('go', OAPI_CODEGEN),
    readsWebhooks: false,
    async install(folder) {
      mkdirSync(join(folder, 'client'));
      await installGo(folder, [`${OAPI_CODEGEN} cmd/oapi-codegen`], ['github.com/oapi-codegen/runtime']);
    },
    generate: [
      [
        'go',
        'tool',
        'oapi-codegen',
        '-generate',
        'types,client',
        '-package',
        'client',
        '-o',
        'client/client.go',
        'openapi.json',
      ],
    ],
    ...go,
  },
  {
    name: 'ogen',
    version: versionOf('go', OGEN),
    readsWebhooks: false,
    install: (folder) => installGo(folder, [`${OGEN} cmd/ogen`], []),
    generate: [
      ['go', 'tool', 'ogen', '--config', 'ogen.yml', '--target', 'client', '--package', 'client', 'openapi.json'],
    ],
    ...go,
  },
  {
    name: 'openapi-python-client',
    version: versionOf('pip', 'openapi-python-client'),
    readsWebhooks: true,
    install: installPip,
    generate: [
      [
        'venv/bin/openapi-python-client',
        'generate',
        '--path',
        'openapi.json',
        '--meta',
        'none',
        '--output-path',
        'client',
      ],
    ],
    compile: (folder) => executeAll([['venv/bin/python', '-W', 'error', '-m', 'compileall', '-q', 'client']], folder),
    ...python,
  },
  npmGenerator(
    'hey-api',
    ['@hey-api/openapi-ts'],
    ['node_modules/.bin/openapi-ts', '-i', 'openapi.json', '-o', 'client', '-c', '@hey-api/client-fetch'],
  ),
  npmGenerator('orval', ['orval'], ['node_modules/.bin/orval', '--config', 'orval.config.cjs']),
  npmGenerator(
    'openapi-typescript',
    ['openapi-typescript', 'openapi-fetch'],
    ['node_modules/.bin/openapi-typescript', 'openapi.json', '-o', 'client.ts'],
  ),
];

const STEPS = ['installs', 'generates', 'compiles', 'lists', 'creates once', 'typed 403'] as const;
type Step = (typeof STEPS)[number];

export interface Row {
  tool: string;
  cells: Record<Step, string>;
  /** The reasons of failed cells. */
  reasons: string[];
}

interface Line {
  step: 'list' | 'create' | 'refusal';
  ids?: string[];
  status?: number;
  code?: string;
}

/** Runs all steps of a generator in an empty folder. A step after a failed step fails too. */
export async function tryGenerator(generator: Generator, target: Target, folder: string): Promise<Row> {
  const { name, version } = generator;
  const row: Row = {
    tool: `${name} ${version}`,
    cells: { installs: '-', generates: '-', compiles: '-', lists: '-', 'creates once': '-', 'typed 403': '-' },
    reasons: [],
  };
  const attempt = async (step: Step, action: () => Promise<void>): Promise<boolean> => {
    const begunMs = performance.now();
    try {
      await action();
      row.cells[step] = `ok, ${((performance.now() - begunMs) / 1000).toFixed(1)} s`;
      return true;
    } catch (error) {
      row.cells[step] = 'FAILED';
      row.reasons.push(`${name} ${step}: ${error instanceof Error ? error.message : error}`);
      return false;
    }
  };
  cpSync(join(root, 'prove/clients/drivers', name), folder, { recursive: true });
  const { documents, withoutWebhooks } = target;
  writeFileSync(join(folder, 'openapi.json'), generator.readsWebhooks ? documents.v1 : withoutWebhooks);
  const isReady =
    (await attempt('installs', () => generator.install(folder))) &&
    (await attempt('generates', () => executeAll(generator.generate, folder))) &&
    (await attempt('compiles', () => generator.compile(folder)));
  if (isReady) await judgeDriver(generator, target, folder, row);
  return row;
}

async function judgeDriver({ name, run }: Generator, target: Target, folder: string, row: Row): Promise<void> {
  const idempotencyKey = `client of ${name}`;
  const { code, stdout, lastLines } = await execute(run, folder, {
    API_URL: target.apiUrl,
    API_KEY: target.key,
    NARROW_KEY: target.narrowKey,
    SERVER_ID: target.serverIds[0],
    IDEMPOTENCY_KEY: idempotencyKey,
  });
  const lines = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line); // a driver prints lines in this form
  const resultOf = (step: Line['step']): Line | undefined => lines.find((line) => line.step === step);
  const judge = (step: Step, isRight: boolean, figure: string): void => {
    row.cells[step] = isRight ? `ok, ${figure}` : 'FAILED';
  };
  const listed = resultOf('list')?.ids ?? [];
  judge('lists', listed.length > 2 && listed.join() === target.serverIds.join(), `${listed.length} servers`);
  const created = new Set(resultOf('create')?.ids);
  const stored = await ticketsWith(target, idempotencyKey);
  judge('creates once', created.size === 1 && stored.length === 1 && created.has(stored[0] ?? ''), 'one ticket');
  const refusal = resultOf('refusal');
  judge('typed 403', refusal?.status === 403 && refusal.code === 'missing_scope', refusal?.code ?? '');
  const isRight = code === 0 && !Object.values(row.cells).includes('FAILED');
  if (!isRight) row.reasons.push(`${name}: the driver ended with ${code}.\n${lastLines}`);
}

/** Returns the tickets of the first server with this subject. */
async function ticketsWith({ call, serverIds }: Target, subject: string): Promise<string[]> {
  const { body } = await call<{ data: { id: string; subject: string }[] }>(
    `/v1/servers/${serverIds[0]}/tickets?limit=100`,
  );
  return body.data.filter((ticket) => ticket.subject === subject).map(({ id }) => id);
}

export function isComplete({ cells, reasons }: Row): boolean {
  return reasons.length === 0 && Object.values(cells).every((cell) => cell.startsWith('ok'));
}

/** Returns the rows as a table of text. */
export function tableOf(rows: readonly Row[]): string {
  const texts = [['tool', ...STEPS], ...rows.map(({ tool, cells }) => [tool, ...STEPS.map((step) => cells[step])])];
  const widths = ['', ...STEPS].map((_, column) => Math.max(...texts.map((text) => text[column]?.length ?? 0)));
  return texts
    .map((text) =>
      text
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
