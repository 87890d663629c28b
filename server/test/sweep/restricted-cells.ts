// The cells of production: each scope's operation in each combination of report, restriction, approval and cap, and
// each change of a restriction in each of these states. Each app has one server of the upstream API.
import { crc32 } from 'node:zlib';
import type { ask } from '../app.ts';
import type { LiveApp, Production } from '../production.fixture.ts';
import type { ReferenceUpstream } from '../reference-upstream.ts';
import { manage, restrict, state } from '../restrictions.fixture.ts';
import type { CallResult } from './calls.ts';
import { NOT_FOUND, SCOPES, type Scope } from './model.ts';
import {
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
type Parts = Readonly<Record<Scope, ScopeFacts>>;
interface RestrictedApp {
  live: LiveApp;
  key: { id: string; token: string };
}

/** An operation for each scope, on the server in its path. */
const OPERATIONS: Readonly<Record<Scope, { id: string; path: string; status: number; body?: object }>> = {
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

async function toCallResult(asking: ReturnType<typeof ask>): Promise<CallResult> {
  const { status, headers, body } = await asking;
  return { status, headers: Object.fromEntries(headers), text: JSON.stringify(body ?? null) };
}

type Rest = Omit<Cell, 'sameAs' | 'tenant'>;
const cell = (operation: string, rest: Rest): Cell => ({ sameAs: operation, tenant: undefined, ...rest });

const callOf =
  ({ production, upstream }: RestrictedEnvironment, scope: Scope, token: string) =>
  () => {
    const { path, body } = OPERATIONS[scope];
    const init = body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    return toCallResult(production.call(path.replace('{id}', upstream.serverIds[0] ?? ''), token, init));
  };

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
      cell('explainAccess', {
        name: `explainAccess of ${name}`,
        expected: { status: 200 },
        call: () => toCallResult(manage(production, live, 'GET', explain)),
        look({ text }) {
          const { code } = JSON.parse(text) as { code: string | null }; // as the contract says
          return code === (expected.code ?? null) ? undefined : `it explains ${code} in place of ${expected.code}`;
        },
      }),
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

/** Returns the cells of one in `oneIn` apps. */
export async function restrictedCells(home: RestrictedEnvironment, oneIn: number): Promise<Cell[]> {
  const wanted = WHOLES.flatMap((whole) => PARTS.map((_, first) => ({ whole, first }))).filter(
    ({ whole, first }) => crc32(`${textOf(whole)} ${first}`) % oneIn === 0,
  );
  const cells: Cell[] = [];
  for (const { whole, first } of wanted) {
    const parts = partsFrom(PARTS, first, 3);
    cells.push(...cellsOf(home, await makeApp(home, whole, parts, first % 2 === 1), whole, parts));
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
  installation: { state: UpstreamState; scopes: { scope: Scope; state: UpstreamState }[] } | null;
}

function changeCell(
  { production, upstream }: RestrictedEnvironment,
  live: LiveApp,
  name: string,
  scope: Scope | undefined,
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
