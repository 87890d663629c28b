// Commands that call /v1 with the API key in SLIPWAY_KEY.
import { createApi, createSlipway, type SlipwayClient, type SlipwayOptions } from '@slipway/sdk';
import type { ApiOperation, OperationTable } from '../api-operation.ts';
import { toBody } from '../binary.ts';
import { type CommandSpec, count, type Invocation, number, option, required, unvalidated } from '../command.ts';
import { DEFAULT_API_URL } from '../config.ts';
import { printingFetch } from '../curl.ts';
import { AuthenticationError, type Peer } from '../errors.ts';
import { LIMIT } from '../options.ts';
import { createStream, printList, printOne } from '../output.ts';
import { itemsOf, MAX_PAGE } from '../paging.ts';
import { pause } from '../pause.ts';
import { findProfile, readProfiles } from '../profile.ts';
import { retryNotice } from '../retry-notice.ts';
import { escapeText } from '../text.ts';

const apiPeer = (url: string): Peer => ({
  name: 'an API',
  url,
  fix: 'set its address in SLIPWAY_API_URL.',
});

/**
 * Returns the address of the API of the key's environment. The profile holds the addresses that the Console reported at
 * the sign-in.
 */
function addressFor(
  key: string,
  { apiUrl, configFile, profile }: Invocation['settings'],
  common: Invocation['common'],
): string {
  if (apiUrl !== undefined) return apiUrl;
  const found = findProfile(readProfiles(configFile), common.profile ?? profile);
  return found?.[1].apiUrls?.[key.startsWith('slw_live_') ? 'production' : 'sandbox'] ?? DEFAULT_API_URL;
}

type Connection = Pick<Invocation, 'settings' | 'common' | 'expect'>;

/** The time for reading a contract, in milliseconds. */
const CONTRACT_TIMEOUT_MS = 5_000;

/**
 * Returns the operations of the contract that the API serves, with those of the management API. Returns undefined if the
 * API does not answer. The request needs no key, so it contains none.
 */
export async function readServedTable({ settings, common, expect }: Connection): Promise<OperationTable | undefined> {
  const { tableUnder, toDocument } = await import('../served-contract.ts');
  const apiUrl = addressFor(settings.key ?? '', settings, common);
  expect(apiPeer(apiUrl));
  const init = { redirect: 'manual', signal: AbortSignal.timeout(CONTRACT_TIMEOUT_MS) } as const;
  const response = await fetch(`${apiUrl.replace(/\/+$/, '')}/v1/openapi.json`, init).catch(() => undefined);
  if (response?.ok === false) throw new Error(`its contract was answered with HTTP ${response.status}`);
  return response && tableUnder(toDocument(await response.json()));
}

/** Calls an operation of /v1 with SLIPWAY_KEY. Returns a `BinaryBody` if the response is not text. */
export async function callV1(
  call: Invocation,
  { method, path, parameters, isText }: ApiOperation,
  input: object,
  options: { signal: AbortSignal; headers?: Readonly<Record<string, string>> },
): Promise<unknown> {
  const query = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const names = Object.fromEntries(parameters.map(({ name, sentAs = name }) => [name, sentAs]));
  const takesIdempotencyKey = parameters.some(({ name }) => name.toLowerCase() === 'idempotency-key');
  const table = { call: { method, path, query, names, takesIdempotencyKey, isBinary: isText } };
  const api = createApi<{ call: { input: object; output: unknown } }>(table, optionsOf(call));
  const { data, response } = await api.call(input, options).withResponse();
  return data instanceof Blob ? toBody(new Uint8Array(await data.arrayBuffer()), response) : data;
}

/** Returns a client of /v1 with SLIPWAY_KEY. */
export const openClient = (call: Invocation): SlipwayClient => createSlipway(optionsOf(call));

function optionsOf({ io, settings, common, expect }: Invocation): SlipwayOptions {
  const { key } = settings;
  if (!key || /[^!-~]/.test(key)) {
    const fault = key ? 'SLIPWAY_KEY contains invalid characters; set it' : 'set SLIPWAY_KEY';
    throw new AuthenticationError(`${fault} to a key of your app. Create one with \`slipway keys create\`.`);
  }
  const apiUrl = addressFor(key, settings, common);
  expect(apiPeer(apiUrl));
  const printing = common.isDryRun && { fetch: printingFetch(io.out, 'SLIPWAY_KEY'), maxRetries: 0 };
  return { baseUrl: apiUrl, key, onRetry: retryNotice(io), ...printing };
}

export const me: readonly CommandSpec[] = [
  {
    name: '',
    isByKey: true,
    summary: 'show environment, app and key of SLIPWAY_KEY',
    example: 'me',
    async run(call) {
      printOne(call.io, await openClient(call).getMe(), call.form);
    },
  },
];

export const servers: readonly CommandSpec[] = [
  {
    name: '',
    isByKey: true,
    summary: 'list the servers that have authorised the app',
    example: 'servers',
    options: [LIMIT],
    async run(call) {
      const api = openClient(call);
      const items = itemsOf(call, (limit) => api.listServers({ limit }));
      await printList(call.io, items, ['id', 'name', 'memberCount'], call.form);
    },
  },
];

export const tickets: readonly CommandSpec[] = [
  {
    name: 'list',
    args: '<serverId>',
    isByKey: true,
    summary: 'list the tickets that the app created on a server',
    example: 'tickets list srv_...',
    options: [LIMIT],
    async run(call) {
      const api = openClient(call);
      const serverId = call.args.serverId ?? '';
      const items = itemsOf(call, (limit) => api.listTickets({ serverId, limit }));
      await printList(call.io, items, ['number', 'subject', 'status', 'priority', 'createdAt', 'id'], call.form);
    },
  },
  {
    name: 'create',
    args: '<serverId>',
    isByKey: true,
    summary: 'create a ticket on a server',
    example: 'tickets create srv_... --subject "Cannot join" --body "The voice channel is closed."',
    options: [
      required('--subject <text>', 'subject of the ticket'),
      required('--body <text>', 'text of the ticket'),
      option('--idempotency-key <key>', 'key that makes a repetition safe (random)'),
    ],
    async run(call) {
      const { subject, body, idempotencyKey } = call.options as Record<string, string | undefined>; // the options take text
      const ticket = unvalidated<{ subject: string; body: string }>({ subject, body });
      const input = { serverId: call.args.serverId ?? '', body: ticket };
      printOne(call.io, await openClient(call).createTicket(input, { idempotencyKey }), call.form);
    },
  },
];

const POLL_MS = 1_000;

export const events: readonly CommandSpec[] = [
  {
    name: '',
    isByKey: true,
    summary: 'print the event feed, oldest first',
    example: 'events --type ticket.created --follow',
    about: 'The position after the last event is printed on stderr at the end. --after continues from there.',
    options: [
      option('--type <type>', 'only this event type'),
      option('--server-id <serverId>', 'only this server'),
      option('--schema-version <version>', 'schema version of the events', number),
      option('--after <position>', 'continue from this position'),
      option('--limit <number>', 'maximum number of events (all)', count),
      option('--follow', 'wait for further events'),
    ],
    handlesInterrupt: true,
    async run(call) {
      const { io, form, options } = call;
      const { type, serverId, schemaVersion, after, follow, limit } = options;
      const api = openClient(call);
      let position = after as string | undefined; // the option takes text
      let remaining = (limit as number | undefined) ?? Number.POSITIVE_INFINITY; // parsed by `count`
      const pagesAfter = (place: string | undefined, pageLimit: number) =>
        api
          .listEvents(
            unvalidated<Parameters<typeof api.listEvents>[0]>({
              type,
              serverId,
              schemaVersion,
              limit: pageLimit,
              after: place,
            }),
            { signal: io.interrupted },
          )
          .pages();
      const printPosition = (): void =>
        io.err(position === undefined ? '' : `slipway: --after ${escapeText(position)} continues from here.\n`);
      const print = createStream(io, ['occurredAt', 'type', 'subject.id', 'sequence', 'id'], form);
      try {
        let isAtEnd = false;
        while (remaining > 0 && (follow || !isAtEnd)) {
          if (isAtEnd) await pause(POLL_MS, io.interrupted);
          isAtEnd = true;
          const pageLimit = Math.min(remaining, MAX_PAGE);
          for await (const page of pagesAfter(position, pageLimit)) {
            print(page.data);
            position = page.nextAfter ?? position;
            remaining -= page.data.length;
            if (remaining >= pageLimit) continue;
            // Another page of this size could contain more events than the limit permits.
            isAtEnd = false;
            break;
          }
        }
      } finally {
        printPosition();
      }
    },
  },
];
