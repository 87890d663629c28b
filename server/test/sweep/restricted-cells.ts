// The cells of production: each scope's operation, and an event with a resource of each scope, in each combination of
// report, restriction, approval and cap; and each change of a restriction in each of these states. Each app has one
// server of the upstream API.
import { crc32 } from 'node:zlib';
import type { Scope } from '../../src/access/authority/index.ts';
import { toId } from '../../src/kit/crypto/ids.ts';
import type { ask } from '../app.ts';
import { until } from '../harness.ts';
import type { LiveApp, Production } from '../production.fixture.ts';
import { manage, restrict } from '../restrictions.fixture.ts';
import type { CallResult } from './calls.ts';
import { type ExpectedResponse, NOT_FOUND } from './model.ts';
import {
  expectEvent,
  expectRestricted,
  expectRestriction,
  inForce,
  isListed,
  RESTRICTED,
  type ScopeFacts,
  type ServerFacts,
  stateAfterRestriction,
  UPSTREAM_STATES,
  type UpstreamState,
} from './restricted-model.ts';
import type { Cell } from './run.ts';

/** A server of the upstream API. */
interface UpstreamServer {
  /** Its identifier in the management API and in events. */
  serverId: string;
  /** The identifier of its object in /v1. */
  key: string;
}

/** The upstream API of a contract. */
export interface SweptUpstream {
  scopes: readonly string[];
  /** An operation for each scope that one has on the server in its path: `{key}` or `{serverId}`. */
  operations: Readonly<Record<string, { id: string; path: string; status: number; method?: string; body?: object }>>;
  /** A list over all servers, and the scope that it needs. */
  list: { id: string; path: string; scope: string };
  /** An event type with a resource of each scope of a resource. */
  eventTypes: Readonly<Record<string, string>>;
  /** The server of the cells, and another one. */
  servers: readonly [UpstreamServer, UpstreamServer];
  /** Reports the installation of a server. Scopes that are not named are authorised. */
  state(
    app: LiveApp,
    server: UpstreamServer,
    whole: UpstreamState,
    scopes?: Record<string, UpstreamState>,
  ): Promise<unknown>;
  /** Reports an event of the app with a resource of this scope on the server of the cells. */
  report(app: LiveApp, scope: string): Promise<void>;
}

export interface RestrictedEnvironment {
  production: Production;
  upstream: SweptUpstream;
}
type Parts = Readonly<Record<string, ScopeFacts>>;
interface RestrictedApp {
  live: LiveApp;
  key: { id: string; token: string };
}
/** An app with an event about a resource of each scope. */
interface AppWithEvents extends RestrictedApp {
  eventIds: ReadonlyMap<string, string>;
}

const GRANTED: ScopeFacts = { stated: 'authorised', restricted: 'nothing', isApproved: true };
const GRANTED_SERVER: ServerFacts = { stated: 'authorised', restricted: 'nothing', isOverCap: false };
const each = <Item, Made>(items: readonly Item[], make: (item: Item) => readonly Made[]): Made[] => items.flatMap(make);

export const WHOLES: readonly ServerFacts[] = each(RESTRICTED, (restricted) => [
  ...UPSTREAM_STATES.map((stated) => ({ stated, restricted, isOverCap: false })),
  { stated: 'authorised' as const, restricted, isOverCap: true },
]);
const PARTS: readonly ScopeFacts[] = each(UPSTREAM_STATES, (stated) =>
  each(RESTRICTED, (restricted) => [true, false].map((isApproved) => ({ stated, restricted, isApproved }))),
);

/** Returns the state of each scope, starting at `first` in steps of `step`. */
const partsFrom = (scopes: readonly string[], parts: readonly ScopeFacts[], first: number, step: number): Parts =>
  Object.fromEntries(scopes.map((scope, at) => [scope, parts[(first + at * step) % parts.length] ?? GRANTED]));

const partOf = (parts: Parts, scope: string): ScopeFacts => parts[scope] ?? GRANTED;

const textOf = (whole: ServerFacts): string =>
  `${whole.stated}${whole.isOverCap ? ' over the cap' : ''}, restricted: ${whole.restricted}`;
const partText = ({ stated, restricted, isApproved }: ScopeFacts): string =>
  `${stated}, restricted: ${restricted}${isApproved ? '' : ', not approved'}`;

/** Creates the app. The report and the restrictions come in either order. */
async function makeApp(
  { production, upstream }: RestrictedEnvironment,
  whole: ServerFacts,
  parts: Parts,
  isStatedLast: boolean,
  hasEvents = false,
): Promise<RestrictedApp> {
  const live = await production.newApp();
  const key = await live.key();
  const { scopes } = upstream;
  const [server, other] = upstream.servers;
  const { superuser } = production.database;
  if (whole.isOverCap) {
    await superuser.query('update apps set max_servers = 1 where app_id = $1', [live.uuid]);
    await upstream.state(live, other, 'authorised');
  }
  await upstream.state(live, server, 'authorised');
  // The server is authorised now, so each event is stored. The steps decide whether the app may read it.
  if (hasEvents) for (const scope of Object.keys(upstream.eventTypes)) await upstream.report(live, scope);
  const steps = [
    async () => {
      const stated = Object.fromEntries(scopes.map((scope) => [scope, partOf(parts, scope).stated]));
      await upstream.state(live, server, whole.stated, stated);
    },
    async () => {
      for (const wanted of ['paused', 'revoked'] as const) {
        const restricted = scopes.filter((scope) => partOf(parts, scope).restricted === wanted);
        const change = { state: wanted, includeRevoked: true, serverIds: [server.serverId], scopes: restricted };
        if (restricted.length > 0) await manage(production, live, 'POST', '/installation-changes', change);
        if (whole.restricted === wanted) await restrict(production, live, server.serverId, wanted);
      }
    },
  ];
  for (const step of isStatedLast ? steps.reverse() : steps) await step();
  const approved = scopes.filter((scope) => partOf(parts, scope).isApproved);
  await superuser.query('update apps set approved_scopes = $2 where app_id = $1', [live.uuid, approved]);
  return { live, key };
}

/** Adds the events of the app. The feed shows them as soon as each earlier transaction has ended. */
async function withEvents({ production, upstream }: RestrictedEnvironment, app: RestrictedApp): Promise<AppWithEvents> {
  const { superuser } = production.database;
  const rows = await until(async () => {
    const found = await superuser.query<{ event_id: string; type: string; is_settled: boolean }>(
      'select event_id, type, xact < pg_snapshot_xmin(pg_current_snapshot()) as is_settled from events where app_id = $1',
      [app.live.uuid],
    );
    return found.rows.every((row) => row.is_settled) && found.rows;
  });
  const eventIds = new Map<string, string>();
  for (const [scope, wanted] of Object.entries(upstream.eventTypes)) {
    const event = rows.find(({ type }) => type === wanted);
    if (event) eventIds.set(scope, toId('evt', event.event_id));
  }
  return { ...app, eventIds };
}

async function toCallResult(asking: ReturnType<typeof ask>): Promise<CallResult> {
  const { status, headers, body } = await asking;
  return { status, headers: Object.fromEntries(headers), text: JSON.stringify(body ?? null) };
}

type Rest = Omit<Cell, 'sameAs' | 'tenant'>;
const cell = (operation: string, rest: Rest): Cell => ({ sameAs: operation, tenant: undefined, ...rest });

const callOf =
  ({ production, upstream }: RestrictedEnvironment, scope: string, token: string) =>
  () => {
    const { path = '', method = 'POST', body } = upstream.operations[scope] ?? {};
    const init = body && { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const [{ key, serverId }] = upstream.servers;
    return toCallResult(production.call(path.replace('{key}', key).replace('{serverId}', serverId), token, init));
  };

/** Yields the response to a read of each event, its explanation, and the events in the feed. */
function eventCells(home: RestrictedEnvironment, app: AppWithEvents, whole: ServerFacts, parts: Parts): Cell[] {
  const { production, upstream } = home;
  const { live, key, eventIds } = app;
  const [{ serverId }] = upstream.servers;
  const events = partOf(parts, 'events:read');
  const expectedOf = (scope: string) => expectEvent(whole, events, partOf(parts, scope));
  const cells = [...eventIds].flatMap(([scope, id]): Cell[] => {
    const name = `getEvent for ${scope} | ${textOf(whole)} | ${partText(events)} | ${partText(partOf(parts, scope))}`;
    const expected = expectedOf(scope);
    const explain = `/access/listEvents?serverId=${serverId}&keyId=${key.id}&eventType=${upstream.eventTypes[scope]}`;
    return [
      cell('getEvent', { name, expected, call: () => toCallResult(production.call(`/v1/events/${id}`, key.token)) }),
      explainCell(`explainAccess of ${name}`, expected, () => toCallResult(manage(production, live, 'GET', explain))),
    ];
  });
  const lookForEvents: Cell['look'] = ({ status, text }) => {
    const wrong = [...eventIds].find(([scope, id]) => text.includes(id) !== (expectedOf(scope).status === 200));
    return status === 200 && wrong ? `it shows or hides the event for ${wrong[0]}` : undefined;
  };
  const lists = (['listEvents', 'listEvents of the server'] as const).map((name, at) =>
    cell('listEvents', {
      name: `${name} | ${textOf(whole)} | ${partText(events)}`,
      expected: at === 0 && events.isApproved ? { status: 200 } : expectRestricted(whole, events, 200),
      call: () =>
        toCallResult(production.call(`/v1/events?limit=100${at === 0 ? '' : `&serverId=${serverId}`}`, key.token)),
      look: lookForEvents,
    }),
  );
  return [...cells, ...lists];
}

const explainCell = (name: string, expected: ExpectedResponse, call: Cell['call']): Cell =>
  cell('explainAccess', {
    name,
    expected: { status: 200 },
    call,
    look({ text }) {
      const { code } = JSON.parse(text) as { code: string | null }; // as the contract says
      return code === (expected.code ?? null) ? undefined : `it explains ${code} in place of ${expected.code}`;
    },
  });

/** Yields the response to a request, its explanation, and the content of a list. */
function cellsOf(home: RestrictedEnvironment, { live, key }: RestrictedApp, whole: ServerFacts, parts: Parts): Cell[] {
  const { production, upstream } = home;
  const [{ key: objectKey, serverId }] = upstream.servers;
  const cells = Object.entries(upstream.operations).flatMap(([scope, { id, status }]): Cell[] => {
    const part = partOf(parts, scope);
    const name = `${id} | ${textOf(whole)} | ${partText(part)}`;
    const expected = expectRestricted(whole, part, status);
    const explain = `/access/${id}?serverId=${serverId}&keyId=${key.id}`;
    return [
      cell(id, { name, expected, call: callOf(home, scope, key.token) }),
      explainCell(`explainAccess of ${name}`, expected, () => toCallResult(manage(production, live, 'GET', explain))),
    ];
  });
  const { id, path, scope } = upstream.list;
  const listed = partOf(parts, scope);
  const isShown = isListed(whole, listed);
  const list = cell(id, {
    name: `${id} | ${textOf(whole)} | ${partText(listed)}`,
    expected: listed.isApproved ? { status: 200 } : expectRestricted(whole, listed, 200),
    call: () => toCallResult(production.call(path, key.token)),
    look: ({ status, text }) =>
      status === 200 && text.includes(objectKey) !== isShown
        ? `it ${isShown ? 'hides' : 'shows'} the server`
        : undefined,
  });
  return [...cells, list];
}

/**
 * Returns the cells of one in `oneIn` apps, and of each app on a granted server with `events:read`. In most of the
 * others the server or `events:read` refuses the events, so the scope of the resource decides nothing.
 */
export async function restrictedCells(home: RestrictedEnvironment, oneIn: number): Promise<Cell[]> {
  const { scopes, operations } = home.upstream;
  const sampled = WHOLES.flatMap((whole) =>
    PARTS.map((_, first) => ({ whole, first, parts: partsFrom(scopes, PARTS, first, 3) })),
  ).filter(({ whole, first }) => crc32(`${textOf(whole)} ${first}`) % oneIn === 0);
  const readers = PARTS.map((_, first) => ({
    ...{ whole: GRANTED_SERVER, first },
    parts: { ...partsFrom(scopes, PARTS, first, 3), 'events:read': GRANTED },
  }));
  const cells: Cell[] = [];
  for (const { whole, first, parts } of [...sampled, ...readers]) {
    const app = await makeApp(home, whole, parts, first % 2 === 1, true);
    cells.push(...cellsOf(home, app, whole, parts));
    cells.push(...eventCells(home, await withEvents(home, app), whole, parts));
  }
  const stranger = await home.production.newApp();
  const { token } = await stranger.key();
  const absent = Object.entries(operations).flatMap(([scope, { id }]) =>
    scope === 'events:read'
      ? []
      : [cell(id, { name: `${id} | never stated`, expected: NOT_FOUND, call: callOf(home, scope, token) })],
  );
  return [...cells, ...absent];
}

/**
 * Returns cells for each wanted state of the server, and of a scope on a server that is not revoked. No grant of a
 * revoked server can change.
 */
export async function restrictionCells(home: RestrictedEnvironment): Promise<Cell[]> {
  const cells: Cell[] = [];
  const { scopes } = home.upstream;
  const granted = partsFrom(scopes, [GRANTED], 0, 0);
  for (const whole of WHOLES) {
    for (const wanted of UPSTREAM_STATES) {
      const { live } = await makeApp(home, whole, granted, true);
      cells.push(changeCell(home, live, `the server | ${textOf(whole)}`, undefined, whole, wanted));
      if (inForce(whole) === 'revoked') continue;
      const parts = PARTS.filter(({ isApproved }) => isApproved);
      for (let first = 0; first < parts.length; first += scopes.length) {
        const some = partsFrom(scopes, parts, first, 1);
        const { live: of } = await makeApp(home, whole, some, first > 0);
        for (const scope of scopes) {
          const part = partOf(some, scope);
          const name = `${scope} | ${textOf(whole)} | ${partText(part)}`;
          cells.push(changeCell(home, of, name, scope, part, wanted));
        }
      }
    }
  }
  return cells;
}

interface ServerBody {
  installation: { state: UpstreamState; scopes: { scope: string; state: UpstreamState }[] } | null;
}

function changeCell(
  { production, upstream }: RestrictedEnvironment,
  live: LiveApp,
  name: string,
  scope: string | undefined,
  of: ServerFacts | ScopeFacts,
  wanted: UpstreamState,
): Cell {
  const id = scope === undefined ? 'setInstallation' : 'setInstallationScope';
  const becomes = stateAfterRestriction(of, wanted);
  return cell(id, {
    name: `${id} | ${name} -> ${wanted}`,
    expected: expectRestriction(of, wanted),
    // A scope of the contract.
    call: () => toCallResult(restrict(production, live, upstream.servers[0].serverId, wanted, scope as Scope)),
    look({ status, text }) {
      if (status !== 200) return undefined;
      const { installation } = JSON.parse(text) as ServerBody; // as the contract says
      const is =
        scope === undefined ? installation?.state : installation?.scopes.find((one) => one.scope === scope)?.state;
      return is === becomes ? undefined : `it is ${is} in place of ${becomes}`;
    },
  });
}
