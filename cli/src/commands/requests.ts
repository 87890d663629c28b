// Commands of the Request Inspector: list, follow and show requests, and replay one.
import type { ManagementClient, RequestRecord, TailInput } from '@slipway/sdk/management';
import {
  type CommandSpec,
  type Invocation,
  list,
  number,
  option,
  pairs,
  timestamp,
  trueOrFalse,
  unvalidated,
} from '../command.ts';
import { isDryRun } from '../exit.ts';
import { LIMIT } from '../options.ts';
import { createStream, printList } from '../output.ts';
import { itemsOf } from '../paging.ts';
import { pick } from '../perform.ts';
import { escapeText } from '../text.ts';
import { code } from './code.ts';

const FILTERS = [
  option('--status <status>', 'only this HTTP status', number),
  option('--status-class <digit>', 'only this class of statuses: 4 for every 4xx', number),
  option('--code <code>', 'only this problem code'),
  option('--operation-id <operationId>', 'only this operation'),
  option('--method <method>', 'only this HTTP method'),
  option('--key-id <keyId>', 'only this key'),
  option('--server-id <serverId>', 'only this server'),
  option('--trace-id <traceId>', 'only this trace (W3C trace id)'),
  option('--min-duration-ms <ms>', 'minimum duration in milliseconds', number),
  option('--simulated <true|false>', 'only requests with, or without, a simulated fault', trueOrFalse),
  option('--path <text>', 'only paths that contain this text'),
];
const SINCE = option('--since <time>', 'start of the range, such as 10m, 2h, 7d or 2026-11-02T10:15:30Z', timestamp);
const UNTIL = option('--until <time>', 'end of the range, exclusive', timestamp);
const COLUMNS = ['at', 'status', 'method', 'path', 'durationMs', 'code', 'id'];

export const requests: readonly CommandSpec[] = [
  {
    name: 'list',
    operation: 'listRequests',
    summary: 'list the requests of the app, newest first',
    example: 'requests list --since 1h --status-class 5',
    query: [SINCE, UNTIL, ...FILTERS, option('--request-id <requestId>', 'only this request')],
    columns: COLUMNS,
  },
  {
    name: 'errors',
    summary: 'list failed requests grouped by problem and operation, most frequent first',
    example: 'requests errors --since 7d',
    about:
      'The range is the last 24 hours unless you pass --since or --until. `slipway requests show` prints the sample in full.',
    options: [SINCE, UNTIL, ...FILTERS, LIMIT],
    run: errors,
  },
  {
    name: 'tail',
    summary: 'print requests as they are answered, until Ctrl-C',
    example: 'requests tail --since 10m',
    about:
      'The position after the last request is printed on stderr at the end. --resume continues from there without repeating a\nrequest; omitted requests are reported.',
    options: [SINCE, option('--resume <position>', 'continue from this position'), ...FILTERS],
    handlesInterrupt: true,
    run: tail,
  },
  {
    name: 'show',
    args: '<requestId>',
    operation: 'getRequest',
    summary: 'show the record of a request',
    example: 'requests show req_...',
  },
  {
    name: 'capture',
    args: '<requestId>',
    operation: 'revealCapture',
    summary: 'show the stored headers and bodies of a request; the audit log records it',
    example: 'requests capture req_...',
  },
  {
    name: 'trace',
    args: '<tracedId>',
    operation: 'getTrace',
    summary: 'show the trace of a request, an event or a delivery, with all events, deliveries and attempts',
    example: 'requests trace evt_...',
  },
  code,
  {
    name: 'deprecated',
    operation: 'listDeprecatedUses',
    summary: 'list deprecated parts of the API that the app uses',
    example: 'requests deprecated',
    columns: ['title', 'ends', 'uses', 'lastUsedAt', 'endpoints', 'answer.status', 'replacement', 'pageUrl', 'id'],
  },
];

export const replay: readonly CommandSpec[] = [
  {
    name: '',
    args: '<requestId>',
    operation: 'replayRequest',
    summary: 'repeat a recorded request with current access',
    example: 'replay req_...',
    body: [
      option('--key-id <keyId>', 'another key of the app'),
      option('--body <text>', 'request body, required unless its capture stores it whole and unmasked'),
      option('--query <text>', 'query, if the record masks a parameter: limit=10'),
      option(
        '--headers <name=value>',
        'Accept, Idempotency-Key, If-None-Match, Sandbox-Simulate or traceparent',
        pairs,
      ),
      option(
        '--literals <pointers>',
        'places where a value looks like a mask but is meant literally: /body/subject',
        list,
      ),
    ],
    fixed: {},
  },
];

async function errors(call: Invocation): Promise<void> {
  const { io, form, options, session } = call;
  const { api, organisation, app } = await session();
  const wanted = { organisationId: (await organisation()).id, appId: (await app()).id };
  const input = { ...wanted, ...pick([SINCE, UNTIL, ...FILTERS], options) };
  const { data, searchedUntil } = await api.getRequestGroups(unvalidated(input));
  const items = itemsOf(call, () => ({ pages: () => [{ data }] }));
  await printList(io, items, ['count', 'code', 'operationId', 'firstAt', 'lastAt', 'sampleId'], form);
  if (searchedUntil !== null)
    io.err(`slipway: the search reached its limit: requests before ${escapeText(searchedUntil)} are not counted.\n`);
}

async function tail(call: Invocation): Promise<void> {
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
    else if (!isInterrupted) io.err(`slipway: ${escapeText(error.message)} Trying again.\n`);
    isInterrupted = true;
  };
  let before: Set<string> | undefined;
  try {
    const input = unvalidated<TailInput>({ ...wanted, after: position });
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
        const notice = `${count ?? 'many'} requests omitted: requests list --since ${since} --until ${until}`;
        io.err(`slipway: ${escapeText(notice)}\n`);
      }
      print(part.data.filter(({ id }) => !before?.delete(id)));
      // The first position is after the earlier requests that were printed.
      if (!isFirst || options.since === undefined) position = part.position ?? position;
    }
  } finally {
    if (position !== undefined) io.err(`slipway: --resume ${escapeText(position)} continues from here.\n`);
  }
}

/** Prints earlier requests, oldest first. Returns their identifiers. */
async function printSince(
  api: ManagementClient,
  input: object & { since: unknown },
  signal: AbortSignal,
  print: (items: readonly RequestRecord[]) => void,
): Promise<Set<string>> {
  const records: RequestRecord[] = [];
  if (input.since === undefined) return new Set();
  const filter = unvalidated<Parameters<ManagementClient['listRequests']>[0]>({ ...input, limit: 100 });
  for await (const one of api.listRequests(filter, { signal })) records.push(one);
  print(records.reverse());
  return new Set(records.map(({ id }) => id));
}
