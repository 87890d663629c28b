// Commands of the Request Inspector: list, follow and show requests, and replay one.
import type { ManagementClient, RequestRecord, TailInput } from '@slipway/sdk/management';
import { type Call, type CommandSpec, list, moment, number, option, pairs, trueOrFalse, unjudged } from '../command.ts';
import { isDryRun } from '../exit.ts';
import { LIMIT } from '../options.ts';
import { createStream, printList } from '../output.ts';
import { itemsOf } from '../paging.ts';
import { pick } from '../perform.ts';
import { inert } from '../text.ts';
import { code } from './code.ts';

const FILTERS = [
  option('--status <status>', 'only with this status', number),
  option('--status-class <digit>', '4 for every 4xx, and so on', number),
  option('--code <code>', 'only those that ended in this problem'),
  option('--operation-id <operationId>', 'only of this operation'),
  option('--method <method>', 'only with this method'),
  option('--key-id <keyId>', 'only with this key'),
  option('--server-id <serverId>', 'only about this server'),
  option('--trace-id <traceId>', 'only of this trace (W3C)'),
  option('--min-duration-ms <ms>', 'only those that took at least so long', number),
  option('--simulated <true|false>', 'only those that met a simulated fault, or only others', trueOrFalse),
  option('--path <text>', 'only those whose path holds this'),
];
const SINCE = option('--since <moment>', 'from this moment on: 10m, 2h, 7d, or 2026-11-02T10:15:30Z', moment);
const UNTIL = option('--until <moment>', 'before this moment', moment);
const COLUMNS = ['at', 'status', 'method', 'path', 'durationMs', 'code', 'id'];

export const requests: readonly CommandSpec[] = [
  {
    name: 'list',
    operation: 'listRequests',
    summary: 'list the calls that the app made, newest first',
    query: [SINCE, UNTIL, ...FILTERS, option('--request-id <requestId>', 'only this one')],
    columns: COLUMNS,
  },
  {
    name: 'errors',
    summary: 'list the problems that calls ended in, by problem and operation, the most frequent first',
    about:
      'Of the last 24 hours, unless --since and --until say otherwise. `slipway requests show` tells more of the sample.',
    options: [SINCE, UNTIL, ...FILTERS, LIMIT],
    run: errors,
  },
  {
    name: 'tail',
    summary: 'print the calls as they are answered, until you stop it',
    about:
      'The position behind the last one is told on stderr at the end: --resume goes on from there, nothing twice and nothing left out in silence.',
    options: [SINCE, option('--resume <position>', 'go on from a position'), ...FILTERS],
    endsItself: true,
    run: tail,
  },
  { name: 'show', args: '<requestId>', operation: 'getRequest', summary: 'show everything that is kept of a request' },
  {
    name: 'trace',
    args: '<tracedId>',
    operation: 'getTrace',
    summary: 'show what a request, an event or a delivery belongs to: events, deliveries, attempts',
  },
  code,
  {
    name: 'deprecated',
    operation: 'listDeprecatedUses',
    summary: 'list what the app still uses although it is deprecated, of the last 30 days',
    columns: ['title', 'ends', 'uses', 'lastUsedAt', 'instead', 'pageUrl'],
  },
];

export const replay: readonly CommandSpec[] = [
  {
    name: '',
    args: '<requestId>',
    operation: 'replayRequest',
    summary: 'make a call once more, as access is now',
    body: [
      option('--key-id <keyId>', 'with another key of the app'),
      option('--body <text>', 'the body, which records do not keep'),
      option('--query <text>', 'the query, where the record masks a parameter of it: limit=10'),
      option(
        '--headers <name=value>',
        'Accept, Idempotency-Key, If-None-Match, Sandbox-Simulate or traceparent',
        pairs,
      ),
      option(
        '--literals <pointers>',
        'where a value that looks like a mask of the record is meant literally: /body/subject',
        list,
      ),
    ],
    fixed: {},
  },
];

async function errors(call: Call): Promise<void> {
  const { io, form, options, session } = call;
  const { api, organisation, app } = await session();
  const wanted = { organisationId: (await organisation()).id, appId: (await app()).id };
  const input = { ...wanted, ...pick([SINCE, UNTIL, ...FILTERS], options) };
  const { data, searchedUntil } = await api.getRequestGroups(unjudged(input));
  const items = itemsOf(call, () => ({ pages: () => [{ data }] }));
  await printList(io, items, ['count', 'code', 'operationId', 'firstAt', 'lastAt', 'sampleId'], form);
  if (searchedUntil !== null)
    io.err(`slipway: there were too many to look at: those before ${inert(searchedUntil)} are left out.\n`);
}

async function tail(call: Call): Promise<void> {
  const { io, form, options } = call;
  const { api, organisation, app } = await call.session();
  const wanted = { organisationId: (await organisation()).id, appId: (await app()).id, ...pick(FILTERS, options) };
  const print = createStream(io, COLUMNS, form);
  const ending = new AbortController();
  io.interrupted.addEventListener('abort', () => ending.abort(io.interrupted.reason), { once: true });
  let position = options.resume as string | undefined; // the option takes text
  let isInterrupted = false;
  const onInterrupted = (error: Error): void => {
    if (isDryRun(error)) ending.abort(error.cause);
    else if (!isInterrupted) io.err(`slipway: ${inert(error.message)} Trying again.\n`);
    isInterrupted = true;
  };
  let before: Set<string> | undefined;
  try {
    const input = unjudged<TailInput>({ ...wanted, after: position });
    for await (const part of api.tailRequests(input, { signal: ending.signal, onInterrupted })) {
      if (isInterrupted) io.err('slipway: connected again.\n');
      isInterrupted = false;
      const isFirst = before === undefined;
      // Earlier requests are read after the tail has its position. A request between the two is in both results and
      // printed once.
      before ??= await printSince(api, { ...wanted, since: options.since }, ending.signal, print);
      const { missed } = part;
      if (missed) {
        const { count, since, until } = missed;
        const left = `${count ?? 'many'} are left out: requests list --since ${since} --until ${until}`;
        io.err(`slipway: ${inert(left)}\n`);
      }
      print(part.data.filter(({ id }) => !before?.delete(id)));
      // The first position is after the earlier requests that were printed.
      if (!isFirst || options.since === undefined) position = part.position ?? position;
    }
  } finally {
    if (position !== undefined) io.err(`slipway: --resume ${inert(position)} goes on from here.\n`);
  }
}

/** Prints earlier requests, oldest first. Returns their identifiers. */
async function printSince(
  api: ManagementClient,
  input: object & { since: unknown },
  signal: AbortSignal,
  print: (items: readonly RequestRecord[]) => void,
): Promise<Set<string>> {
  const found: RequestRecord[] = [];
  if (input.since === undefined) return new Set();
  const wish = unjudged<Parameters<ManagementClient['listRequests']>[0]>({ ...input, limit: 100 });
  for await (const one of api.listRequests(wish, { signal })) found.push(one);
  print(found.reverse());
  return new Set(found.map(({ id }) => id));
}
