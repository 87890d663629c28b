// Generates docs/reference/log-events.md: the fixed messages and the event names of log lines, from the sources of the server.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = 'server/src';

// The fixed texts of `log.info` and `log.error`, and the names of structured lines.
const LINE = /\blog\.(?<level>info|error)\(\s*'(?<message>[^']+)'|\bevent: '(?<event>(?:webhook|demo)\.\w+)'/g;

/** The jobs of boot/, in tables or with a report of their own. */
const JOB = /\bname: '(?<row>[\w-]+)',\s+(?:pool|start)\b|\breportFailure\('(?<own>[\w-]+)'/g;

interface Line {
  name: string;
  level: string;
  files: string[];
}

function readLines(): Line[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(file));
  const lines = new Map<string, Line>();
  for (const file of files.sort()) {
    for (const { groups } of readFileSync(join(SOURCES, file), 'utf8').matchAll(LINE)) {
      const name = groups?.message ?? groups?.event ?? '';
      const line = lines.get(name) ?? { name, level: groups?.level ?? 'info', files: [] };
      lines.set(name, line);
      if (!line.files.includes(file)) line.files.push(file);
    }
  }
  return [...lines.values()].sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

function readJobs(): string[] {
  const files = readdirSync(join(SOURCES, 'boot')).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const jobs = files.flatMap((file) =>
    [...readFileSync(join(SOURCES, 'boot', file), 'utf8').matchAll(JOB)].map(
      ({ groups }) => groups?.row ?? groups?.own ?? '',
    ),
  );
  return [...new Set(jobs)].sort();
}

export function logEventsPage(): string {
  const rows = readLines().map(
    ({ name, level, files }) => `| \`${name}\` | ${level} | ${files.map((file) => `\`${file}\``).join(', ')} |`,
  );
  return [
    '# Log events',
    '',
    'Generated from the sources of the server by `npm run contract`. Do not edit.',
    '',
    'A process logs JSON lines to standard output: `level`, `time`, `msg` and fields. A message is the name of the event, a colon and a fixed sentence. Lines of webhooks and of the demo receiver have the name in the field `event`. Errors have the field `err`, and request errors `requestId`. Secrets are masked.',
    '[Troubleshooting](../operate/troubleshooting.md) explains lines that need an action. These events are not in the table, because code builds their message: `gate.closed`, `gate.opened`, `master_key.in_use`, `master_key.unused`, `monitoring.port_taken`, `pepper.in_use`, `pepper.unused`, `postgres.data_linked`, `postgres.orphan_found`, `process.ready`, `proxy.undeclared`.',
    '',
    '| message or `event` | level | source |',
    '| --- | --- | --- |',
    ...rows,
    '',
    `The field \`job\` of \`job.failed\` names the job: ${readJobs()
      .map((job) => `\`${job}\``)
      .join(', ')}.`,
    '',
  ].join('\n');
}
