// Serves the operations to an MCP client over standard input and output.
import type { ApiOperation, OperationTable } from '../api-operation.ts';
import { type CommandSpec, type Invocation, list, option, unvalidated } from '../command.ts';
import { UsageError } from '../errors.ts';
import type { McpOptions, ToolInput } from '../mcp-server.ts';
import type { NamedObject } from '../profile.ts';
import { describeTarget, type Session } from '../session.ts';
import { escapeText } from '../text.ts';
import { VERSION } from '../version.ts';
import { callV1, openClient, readServedTable } from './v1.ts';

/** Returns the server's options for the signed-in user, and for the key in SLIPWAY_KEY if it is set. */
async function mcpOptions(call: Invocation): Promise<McpOptions> {
  const { findOperation } = await import('../api-operation.ts');
  const session = await call.session();
  const hasKey = call.settings.key !== undefined;
  // The scopes of the key decide which operations are offered.
  const keyScopes = hasKey ? (await openClient(call).getMe()).scopes : undefined;
  const table = hasKey ? await readServedTable(call) : await tableOf(session);
  if (!table) throw new Error('its contract cannot be read');
  const only = unvalidated<readonly string[] | undefined>(call.options.operations);
  const unknown = only?.find((name) => findOperation(table, name) === undefined);
  if (unknown !== undefined) throw new UsageError(`--operations: there is no operation ${escapeText(unknown)}.`);
  return {
    version: VERSION,
    allowsChanges: call.options.allowChanges === true,
    table,
    keyScopes,
    only,
    async call(name, operation, input, signal) {
      if (operation.api === 'v1') return callV1(call, operation, input, { signal });
      const methods = unvalidated<Record<string, (input: object, options: object) => Promise<unknown>>>(session.lookup);
      return methods[name]?.(input, { signal });
    },
    resolve: (operation, input) => withScope(session, operation, input),
    describeTarget: async (operation, input) =>
      operation.api === 'v1' ? 'the app of SLIPWAY_KEY' : describeTarget(session, await appOf(session, input)),
  };
}

/** Returns the operations of the contract that the Console serves to members. */
async function tableOf({ lookup, organisation }: Session): Promise<OperationTable> {
  const { readContract, tableUnder } = await import('../served-contract.ts');
  return tableUnder(await readContract(lookup, (await organisation()).id));
}

/** Returns the app that a resolved input names, which can be another app than the selected one. */
async function appOf({ lookup, organisation }: Session, { appId }: ToolInput): Promise<NamedObject | undefined> {
  if (typeof appId !== 'string') return undefined;
  return lookup.getApp({ organisationId: (await organisation()).id, appId });
}

/** Adds the organisation of the session, and its selected app if the input names none. */
async function withScope(
  session: Session,
  { api, parameters }: ApiOperation,
  input: ToolInput,
): Promise<Record<string, unknown>> {
  if (api === 'v1') return { ...input };
  const scoped: Record<string, unknown> = { ...input };
  const takes = (name: string): boolean => parameters.some((one) => one.name === name && one.in === 'path');
  if (takes('organisationId')) scoped.organisationId = (await session.organisation()).id;
  if (takes('appId') && scoped.appId === undefined) scoped.appId = (await session.app()).id;
  return scoped;
}

export const mcp: readonly CommandSpec[] = [
  {
    name: '',
    summary: 'serve the operations to an MCP client over standard input and output',
    example: 'mcp --allow-changes',
    about: [
      'Each operation that accepts an access token is a tool. With SLIPWAY_KEY, each operation of /v1 that the scopes of the',
      'key permit is a tool too. Tools only read, unless you pass --allow-changes. The tool of a change sends nothing: it',
      'returns the prepared call and a confirmation token. The tool confirmChange takes both and sends the call. Operations',
      'whose response contains a key or a signing secret are not offered.',
    ].join('\n'),
    options: [
      option('--allow-changes', 'also offer operations that change something'),
      option('--operations <ids>', 'offer only these operations: listRequests,getRequest', list),
    ],
    omits: ['--json', '--dry-run'],
    handlesInterrupt: true,
    async run(call) {
      const options = await mcpOptions(call);
      const { createMcpServer } = await import('../mcp-server.ts');
      const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
      const { interrupted, err } = call.io;
      const handle = serveStdio(() => createMcpServer(options), {
        onerror: (error) => err(`slipway: ${error.message}\n`),
      });
      await new Promise<void>((resolve) => {
        process.stdin.once('close', resolve).once('end', resolve);
        interrupted.addEventListener('abort', () => resolve(), { once: true });
      });
      await handle.close();
    },
  },
];
