// Generates docs/reference/log-events.md: the names and sentences of log lines, from the sources of the server.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = 'server/src';

// A message is a literal `name.of_event: Sentence.` A line whose message is not a literal in the call has the level
// info.
const MESSAGE =
  /(?:\blog\.(?<level>info|error)\(\s*)?(?<quote>['`])(?<event>[a-z_]+\.[a-z_]+): (?<sentence>(?:(?!\k<quote>).)*)\k<quote>/g;

/** Events in the field `event`, which are logged under one message per sender. */
const FIELD = /\bevent: '(?<event>(?:webhook|demo)\.\w+)'/g;

/** The meaning of the events in fields, and of an event whose sentence is built from parts. */
const MEANINGS: Readonly<Record<string, string>> = {
  'demo.received':
    'The demo receiver received a webhook. Fields: `eventId`, `type`, `isVerified`, `reason` (why the verification failed).',
  'process.ready':
    'The process accepts requests or runs its jobs. The sentence names the process. The first start without a terminal also names the file with the sign-in link.',
  'proxy.undeclared':
    'Requests pass through a proxy that no setting declares, so records and limits use the address of the proxy. Set `SLIPWAY_TRUSTED_PROXIES` to its addresses.',
  'webhook.attempt_failed':
    'An internal error ended an attempt. The worker tries again after a minute. If the request had begun, the attempt is recorded with the outcome `interrupted`. Fields: `deliveryId`, `error`.',
  'webhook.attempt_ended':
    'An attempt of a delivery ended. Fields: `deliveryId`, `eventId`, `endpointId`, `appId`, `attempt`, `outcome`, `status`, `durationMs`, `next` (the next state of the delivery), and further fields. With `outcome` `interrupted`, the worker of the attempt had stopped; the line has only `deliveryId`, `attempt`, `outcome` and `next`.',
  'webhook.dispatch_failed':
    'A step of the dispatcher failed, for example because the database is unavailable. The worker repeats the step. Field: `error`.',
  'webhook.signing_failed':
    'A message could not be signed, because its signing secret could not be opened. The delivery waits. Fields: `deliveryId`, `error`.',
  'webhook.worker_deregistered':
    'The heartbeat of this worker stopped, so the other workers took over its deliveries. The worker registers again. Field: `workerId`.',
};

/** The jobs of boot/, in tables or with a report of their own. */
const JOB = /\bname: '(?<row>[\w-]+)',\s+(?:pool|start)\b|\breportFailure\('(?<own>[\w-]+)'/g;

interface LogEvent {
  name: string;
  level: string;
  meanings: Set<string>;
}

function sourceFiles(): string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(file))
    .sort();
}

/** Returns the events by name. Throws if an event in a field has no meaning here. */
function readEvents(): LogEvent[] {
  const events = new Map<string, LogEvent>();
  const add = (name: string, level: string, meaning: string): void => {
    const event = events.get(name) ?? { name, level, meanings: new Set() };
    event.meanings.add(meaning);
    events.set(name, event);
  };
  for (const file of sourceFiles()) {
    const source = readFileSync(join(SOURCES, file), 'utf8');
    for (const { groups } of source.matchAll(MESSAGE)) {
      const { event = '', level = 'info', sentence = '' } = groups ?? {};
      add(event, level, MEANINGS[event] ?? sentence.replaceAll(/\$\{[^}]*\}/g, '…'));
    }
    for (const { groups } of source.matchAll(FIELD)) {
      const name = groups?.event ?? '';
      const meaning = MEANINGS[name];
      if (meaning === undefined) throw new Error(`Describe the log event ${name} of ${file} in scripts/log-events.ts.`);
      add(name, 'info', meaning);
    }
  }
  return [...events.values()].sort((one, other) => one.name.localeCompare(other.name, 'en'));
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
  const rows = readEvents().map(
    ({ name, level, meanings }) => `| \`${name}\` | ${level} | ${[...meanings].join(' Or: ')} |`,
  );
  return [
    '# Log events',
    '',
    'Generated from the sources of the server by `npm run contract`. Do not edit.',
    '',
    'A process logs JSON lines to standard output: `level` (30 for info, 50 for an error), `time`, fields and `msg`. `msg` is the name of the event, a colon and a fixed sentence. Lines of `webhook.` and `demo.` events differ: the field `event` has the name, and `msg` is one sentence for all of them. Errors have the field `err`. Errors of a request also have `requestId`. Secrets are masked. `…` stands for a value.',
    '[Troubleshooting](../operate/troubleshooting.md#log-lines) explains lines that need an action.',
    '',
    '```json',
    '{"level":50,"time":"2026-11-26T10:15:30.123Z","job":"mail",',
    ' "err":{"type":"Error","message":"connect ECONNREFUSED 10.0.0.25:587","stack":"…"},',
    ' "msg":"job.failed: A run of the job failed. The job runs again after a pause."}',
    '```',
    '',
    '| event | level | sentence or meaning |',
    '| --- | --- | --- |',
    ...rows,
    '',
    '## Jobs',
    '',
    `The field \`job\` of \`job.failed\` names the job: ${readJobs()
      .map((job) => `\`${job}\``)
      .join(', ')}.`,
    '',
  ].join('\n');
}
