// Forwards the app's deliveries to a receiver on this machine without an open port: fetches them, forwards them, and
// reports each response, which is recorded as that of the attempt.
import { hostname } from 'node:os';
import type { Endpoint, EndpointInput, Key, ManagementClient } from '@slipway/sdk/management';
import { type CommandSpec, type Invocation, list, option, required, unvalidated } from '../command.ts';
import { UsageError } from '../errors.ts';
import { createForwarder } from '../forwarder.ts';
import { createStream } from '../output.ts';
import { printTarget } from '../perform.ts';
import { exchangeUntilEnd } from '../relay-session.ts';
import { escapeText } from '../text.ts';

const SCOPE = 'events:read';

export const listen: readonly CommandSpec[] = [
  {
    name: '',
    summary: 'forward deliveries to a receiver on this machine, until you stop it',
    example: 'listen --forward-to http://localhost:3000/hook',
    about: [
      'The first run creates an endpoint for this machine; later runs use the same endpoint and secret. While you do not',
      'listen, deliveries are retried as for any unreachable receiver. A delivery that was answered 2xx is not repeated.',
    ].join('\n'),
    options: [
      required('--forward-to <url>', 'address of your receiver, such as http://localhost:3000/hook'),
      option('--events <types>', 'event types to receive (all)', list),
      option('--key-id <keyId>', `key of the endpoint (the newest with ${SCOPE})`),
      option('--name <name>', 'name of the listener (the name of this machine)'),
      option('--print-secret', 'print the signing secret when the endpoint is created'),
      option('--show-response', 'show the responses of your receiver'),
    ],
    handlesInterrupt: true,
    async run(call) {
      const { io, options, form } = call;
      const to = addressOf(String(options.forwardTo));
      const session = await call.session();
      await printTarget(call, session, true);
      const at = { organisationId: (await session.organisation()).id, appId: (await session.app()).id };
      const endpoint = await findListener(call, session.api, at);
      io.err(`Listening as ${escapeText(endpoint.url)} (${escapeText(endpoint.id)}), for ${to}\n`);
      const shown = options.showResponse === true ? ['response'] : [];
      const print = createStream(io, ['at', 'type', 'attempt', 'outcome', 'durationMs', 'deliveryId', ...shown], form);
      await exchangeUntilEnd({
        api: session.api,
        at: { ...at, endpointId: endpoint.id },
        forward: createForwarder(to, (one) =>
          print([options.showResponse === true ? one : { ...one, response: undefined }]),
        ),
        print: (text) => io.err(`slipway: ${escapeText(text)}\n`),
        ended: io.interrupted,
      });
    },
  },
];

type At = { organisationId: string; appId: string };

/** Returns the endpoint of this machine with the wanted settings. Creates it if it does not exist. */
async function findListener({ io, options }: Invocation, api: ManagementClient, at: At): Promise<Endpoint> {
  const start = `listener:${nameOf(String(options.name ?? hostname()))}-`;
  const keyId = options.keyId as string | undefined; // the option takes text
  const eventTypes = unvalidated<EndpointInput['eventTypes'] | undefined>(options.events);
  let existing: Endpoint | undefined;
  for await (const one of api.listEndpoints({ ...at, limit: 100 })) if (one.url.startsWith(start)) existing = one;
  if (existing) {
    if (options.printSecret === true)
      io.err('The secret was shown when the endpoint was created. You can reveal it in the Console.\n');
    const isWell = existing.state === 'enabled' && existing.keyState === 'active';
    if (isWell && keyId === undefined && eventTypes === undefined) return existing;
    const body = {
      state: 'enabled' as const,
      ...(eventTypes && { eventTypes }),
      ...((keyId !== undefined || existing.keyState !== 'active') && { keyId: keyId ?? (await findKey(api, at)).id }),
    };
    return api.updateEndpoint({ ...at, endpointId: existing.id, body });
  }
  const created = await api.createEndpoint({
    ...at,
    body: {
      // Random, so that listeners of the same name on other machines differ.
      url: `${start}${crypto.randomUUID().slice(0, 8)}`,
      keyId: keyId ?? (await findKey(api, at)).id,
      eventTypes: eventTypes ?? (await listEventTypes(api, at)),
      description: `slipway listen, on ${escapeText(hostname())}`.slice(0, 200),
    },
  });
  if (options.printSecret === true) io.out(`${created.signingSecret}\n`);
  else
    io.err(
      'Created an endpoint. Reveal its signing secret in the Console. --print-secret prints the secret of a new endpoint.\n',
    );
  return created.endpoint;
}

async function findKey(api: ManagementClient, at: At): Promise<Key> {
  for await (const key of api.listKeys({ ...at, limit: 100 })) {
    if (key.state === 'active' && key.scopes.includes(SCOPE)) return key;
  }
  throw new UsageError(`no active key has ${SCOPE}: create one with \`slipway keys create --preset webhooks\`.`);
}

/** Returns the event types of the contract. */
async function listEventTypes(api: ManagementClient, { organisationId }: At): Promise<EndpointInput['eventTypes']> {
  const { webhooks } = unvalidated<{ webhooks?: Record<string, unknown> }>(await api.getContract({ organisationId }));
  return unvalidated(Object.keys(webhooks ?? {}));
}

const nameOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60) || 'terminal';

function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--forward-to must be a URL such as http://localhost:3000/hook, not ${escapeText(text)}.`);
  }
  return url.href;
}
