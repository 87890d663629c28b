// The cells of production: each scope's operation, and an event with a resource of each scope, in each combination of
// report, restriction, approval and cap; and each change of a restriction in each of these states. Each app has one
// server of the upstream API.
import { crc32 } from 'node:zlib';
import { toId } from '../../src/kit/crypto/ids.ts';
import type { ask } from '../app.ts';
import { until } from '../harness.ts';
import type { LiveApp, Production } from '../production.fixture.ts';
import type { ReferenceUpstream } from '../reference-upstream.ts';
import { REPORTED_TYPES } from '../reported-events.ts';
import { manage, report, restrict, state } from '../restrictions.fixture.ts';
import type { CallResult } from './calls.ts';
import { type ExpectedResponse, NOT_FOUND, SCOPES, type SweepScope } from './model.ts';
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

export interface RestrictedEnvironment {
  production: Production;
  upstream: ReferenceUpstream;
}
type Parts = Readonly<Record<SweepScope, ScopeFacts>>;
type ResourceScope = keyof typeof REPORTED_TYPES;
const RESOURCE_SCOPES = Object.keys(REPORTED_TYPES) as ResourceScope[]; // Object.keys returns strings
interface RestrictedApp {
  live: LiveApp;
  key: { id: string; token: string };
}
/** An app with an event about a resource of each scope. */
interface AppWithEvents extends RestrictedApp {
  eventIds: ReadonlyMap<ResourceScope, string>;
}

/** An operation for each scope, on the server in its path. */
const OPERATIONS: Readonly<Record<SweepScope, { id: string; path: string; status: number; body?: object }>> = {
  'servers:read': { id: 'getServer', path: '/v1/servers/{id}', status: 200 },
  'publications:read': { id: 'listPublications', path: '/v1/servers/{id}/publications', status: 200 },
  'events:read': { id: 'listEvents', path: '/v1/events?serverId={id}', status: 200 },
  'roadmap:read': { id: 'listRoadmap', path: '/v1/servers/{id}/roadmap', status: 200 },
  'tickets:create': {
    id: 'createTicket',
    path: '/v1/servers/{id}/tickets',
    status: 201,
    body: { subject: 'Cannot join', body: 'Since this morning.' },
  },
  'workflows:run': { id: 'listWorkflows', path: '/v1/servers/{id}/workflows', status: 200 },
};

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
const partsFrom = (parts: readonly ScopeFacts[], first: number, step: number): Parts =>
  Object.fromEntries(
    SCOPES.map((scope, at) => [scope, parts[(first + at * step) % parts.length] ?? GRANTED]),
  ) as unknown as Parts; // one per scope

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
  const [serverId = '', other = ''] = upstream.serverIds;
  const { superuser } = production.database;
  if (whole.isOverCap) {
    await superuser.query('update apps set max_servers = 1 where app_id = $1', [live.uuid]);
    await state(production, live, other, 'authorised');
  }
  await state(production, live, serverId, 'authorised');
  // The server is authorised now, so each event is stored. The steps decide whether the app may read it.
  if (hasEvents) for (const scope of RESOURCE_SCOPES) await report(production, live, scope, serverId);
  const steps = [
    async () => {
      const scopes = Object.fromEntries(SCOPES.map((scope) => [scope, parts[scope].stated]));
      await state(production, live, serverId, whole.stated, scopes);
    },
    async () => {
      for (const wanted of ['paused', 'revoked'] as const) {
        const scopes = SCOPES.filter((scope) => parts[scope].restricted === wanted);
        const change = { state: wanted, includeRevoked: true, serverIds: [serverId] };
        if (scopes.length > 0) await manage(production, live, 'POST', '/installation-changes', { ...change, scopes });
        if (whole.restricted === wanted) await restrict(production, live, serverId, wanted);
      }
    },
  ];
  for (const step of isStatedLast ? steps.reverse() : steps) await step();
  const approved = SCOPES.filter((scope) => parts[scope].isApproved);
  await superuser.query('update apps set approved_scopes = $2 where app_id = $1', [live.uuid, approved]);
  return { live, key };
}

/** Adds the events of the app. The feed shows them as soon as each earlier transaction has ended. */
async function withEvents({ production }: RestrictedEnvironment, app: RestrictedApp): Promise<AppWithEvents> {
  const { superuser } = production.database;
  const rows = await until(async () => {
    const found = await superuser.query<{ event_id: string; type: string; is_settled: boolean }>(
      'select event_id, type, xact < pg_snapshot_xmin(pg_current_snapshot()) as is_settled from events where app_id = $1',
      [app.live.uuid],
    );
    return found.rows.every((row) => row.is_settled) && found.rows;
  });
  const eventIds = new Map<ResourceScope, string>();
  for (const scope of RESOURCE_SCOPES) {
    const event = rows.find(({ type }) => type === REPORTED_TYPES[scope]);
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
  ({ production, upstream }: RestrictedEnvironment, scope: SweepScope, token: string) =>
  () => {
    const { path, body } = OPERATIONS[scope];
    const init = body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    return toCallResult(production.call(path.replace('{id}', upstream.serverIds[0] ?? ''), token, init));
  };

/** Yields the response to a read of each event, its explanation, and the events in the feed. */
function eventCells(home: RestrictedEnvironment, app: AppWithEvents, whole: ServerFacts, parts: Parts): Cell[] {
  const { production, upstream } = home;
  const { live, key, eventIds } = app;
  const [serverId = ''] = upstream.serverIds;
  const events = parts['events:read'];
  const expectedOf = (scope: ResourceScope) => expectEvent(whole, events, parts[scope]);
  const cells = [...eventIds].flatMap(([scope, id]): Cell[] => {
    const name = `getEvent for ${scope} | ${textOf(whole)} | ${partText(events)} | ${partText(parts[scope])}`;
    const expected = expectedOf(scope);
    const explain = `/access/listEvents?serverId=${serverId}&keyId=${key.id}&eventType=${REPORTED_TYPES[scope]}`;
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
  const [serverId = ''] = upstream.serverIds;
  const cells = SCOPES.flatMap((scope): Cell[] => {
    const { id, status } = OPERATIONS[scope];
    const name = `${id} | ${textOf(whole)} | ${partText(parts[scope])}`;
    const expected = expectRestricted(whole, parts[scope], status);
    const explain = `/access/${id}?serverId=${serverId}&keyId=${key.id}`;
    return [
      cell(id, { name, expected, call: callOf(home, scope, key.token) }),
      explainCell(`explainAccess of ${name}`, expected, () => toCallResult(manage(production, live, 'GET', explain))),
    ];
  });
  const listed = parts['servers:read'];
  const isShown = isListed(whole, listed);
  const list = cell('listServers', {
    name: `listServers | ${textOf(whole)} | ${partText(listed)}`,
    expected: listed.isApproved ? { status: 200 } : expectRestricted(whole, listed, 200),
    call: () => toCallResult(production.call('/v1/servers', key.token)),
    look: ({ status, text }) =>
      status === 200 && text.includes(serverId) !== isShown
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
  const sampled = WHOLES.flatMap((whole) =>
    PARTS.map((_, first) => ({ whole, first, parts: partsFrom(PARTS, first, 3) })),
  ).filter(({ whole, first }) => crc32(`${textOf(whole)} ${first}`) % oneIn === 0);
  const readers = PARTS.map((_, first) => ({
    ...{ whole: GRANTED_SERVER, first },
    parts: { ...partsFrom(PARTS, first, 3), 'events:read': GRANTED },
  }));
  const cells: Cell[] = [];
  for (const { whole, first, parts } of [...sampled, ...readers]) {
    const app = await makeApp(home, whole, parts, first % 2 === 1, true);
    cells.push(...cellsOf(home, app, whole, parts));
    cells.push(...eventCells(home, await withEvents(home, app), whole, parts));
  }
  const stranger = await home.production.newApp();
  const { token } = await stranger.key();
  const absent = SCOPES.filter((scope) => scope !== 'events:read').map((scope) =>
    cell(OPERATIONS[scope].id, {
      name: `${OPERATIONS[scope].id} | never stated`,
      expected: NOT_FOUND,
      call: callOf(home, scope, token),
    }),
  );
  return [...cells, ...absent];
}

/**
 * Returns cells for each wanted state of the server, and of a scope on a server that is not revoked. No grant of a
 * revoked server can change.
 */
export async function restrictionCells(home: RestrictedEnvironment): Promise<Cell[]> {
  const cells: Cell[] = [];
  const granted = partsFrom([GRANTED], 0, 0);
  for (const whole of WHOLES) {
    for (const wanted of UPSTREAM_STATES) {
      const { live } = await makeApp(home, whole, granted, true);
      cells.push(changeCell(home, live, `the server | ${textOf(whole)}`, undefined, whole, wanted));
      if (inForce(whole) === 'revoked') continue;
      const parts = PARTS.filter(({ isApproved }) => isApproved);
      for (let first = 0; first < parts.length; first += SCOPES.length) {
        const some = partsFrom(parts, first, 1);
        const { live: of } = await makeApp(home, whole, some, first > 0);
        for (const scope of SCOPES)
          cells.push(
            changeCell(home, of, `${scope} | ${textOf(whole)} | ${partText(some[scope])}`, scope, some[scope], wanted),
          );
      }
    }
  }
  return cells;
}

interface ServerBody {
  installation: { state: UpstreamState; scopes: { scope: SweepScope; state: UpstreamState }[] } | null;
}

function changeCell(
  { production, upstream }: RestrictedEnvironment,
  live: LiveApp,
  name: string,
  scope: SweepScope | undefined,
  of: ServerFacts | ScopeFacts,
  wanted: UpstreamState,
): Cell {
  const id = scope === undefined ? 'setInstallation' : 'setInstallationScope';
  const becomes = stateAfterRestriction(of, wanted);
  return cell(id, {
    name: `${id} | ${name} -> ${wanted}`,
    expected: expectRestriction(of, wanted),
    call: () => toCallResult(restrict(production, live, upstream.serverIds[0] ?? '', wanted, scope)),
    look({ status, text }) {
      if (status !== 200) return undefined;
      const { installation } = JSON.parse(text) as ServerBody; // as the contract says
      const is =
        scope === undefined ? installation?.state : installation?.scopes.find((one) => one.scope === scope)?.state;
      return is === becomes ? undefined : `it is ${is} in place of ${becomes}`;
    },
  });
}
