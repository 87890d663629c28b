// A model of installations in production, determined by the upstream API's statements, the cap and the organisation's
// restrictions. It is written from decision 0059 and imports nothing, so it cannot repeat a mistake of the server.

export type ModelState = 'authorised' | 'paused' | 'revoked';
/** The name of the server as a whole among its scopes. */
export const WHOLE_SERVER = '*';

interface ModelGrant {
  /** Identifies the grant: a different number is a different grant. */
  id: number;
  state: ModelState;
}
interface ModelServer {
  version: number;
  /** Undefined before the first statement. */
  stated: { state: ModelState; scopes: Readonly<Record<string, ModelState>> } | undefined;
  hasPlace: boolean;
  restrictions: Map<string, ModelState>;
  /** The latest installation, and the latest grant of each scope in it. */
  installation: (ModelGrant & { scopes: Map<string, ModelGrant> }) | undefined;
}
export interface Model {
  scopes: readonly string[];
  cap: number | null;
  servers: ModelServer[];
  grants: number;
}

export type ModelStep =
  | { kind: 'state'; server: number; state: ModelState; scopes: Readonly<Record<string, ModelState>>; version: number }
  | { kind: 'cap'; cap: number | null }
  | { kind: 'restrict'; server: number; cell: string; state: ModelState }
  | { kind: 'bulk'; cells: readonly string[]; state: ModelState; includeRevoked: boolean };
export type Outcome = 'done' | 'old' | 'refused' | 'missing';

export const newModel = (servers: number, scopes: readonly string[]): Model => ({
  scopes,
  cap: null,
  servers: Array.from({ length: servers }, () => ({
    version: 0,
    stated: undefined,
    hasPlace: false,
    restrictions: new Map(),
    installation: undefined,
  })),
  grants: 0,
});

export function strictest(...states: readonly (ModelState | undefined)[]): ModelState {
  if (states.includes('revoked')) return 'revoked';
  return states.includes('paused') ? 'paused' : 'authorised';
}

function effective({ stated, hasPlace, restrictions }: ModelServer, cell: string): ModelState {
  if (!stated) return 'revoked';
  if (cell !== WHOLE_SERVER) return strictest(stated.scopes[cell] ?? 'revoked', restrictions.get(cell));
  return strictest(stated.state, restrictions.get(WHOLE_SERVER), hasPlace ? 'authorised' : 'paused');
}

/** Returns the effective state, also for a revoked installation that keeps the states of its scopes. */
export function inForce({ installation }: ModelServer, cell: string): ModelState | undefined {
  return cell === WHOLE_SERVER ? installation?.state : installation?.scopes.get(cell)?.state;
}

export function applyStep(model: Model, step: ModelStep): Outcome {
  switch (step.kind) {
    case 'cap':
      model.cap = step.cap;
      admit(model);
      return 'done';
    case 'bulk':
      for (const server of model.servers)
        for (const cell of step.cells) {
          const isExcluded =
            !step.includeRevoked && step.state !== 'revoked' && server.restrictions.get(cell) === 'revoked';
          if (!isExcluded) restrict(model, server, cell, step.state);
        }
      return 'done';
    case 'restrict': {
      const server = model.servers[step.server];
      return server ? restrict(model, server, step.cell, step.state) : 'missing';
    }
    default:
      return state(model, step);
  }
}

function state(model: Model, { server: at, state: whole, scopes, version }: ModelStep & { kind: 'state' }): Outcome {
  const server = model.servers[at];
  if (!server) return 'missing';
  if (version <= server.version) return 'old';
  server.version = version;
  server.stated = { state: whole, scopes };
  server.hasPlace = whole === 'authorised' && (server.hasPlace || free(model) > 0);
  applyEffectiveStates(model, server);
  admit(model);
  return 'done';
}

function restrict(model: Model, server: ModelServer, cell: string, wanted: ModelState): Outcome {
  if (!server.stated) return 'missing';
  const current = server.restrictions.get(cell);
  if (wanted === 'authorised' && current === undefined) return inForce(server, cell) === wanted ? 'done' : 'refused';
  if (wanted === 'authorised') server.restrictions.delete(cell);
  else server.restrictions.set(cell, wanted);
  applyEffectiveStates(model, server);
  return 'done';
}

const free = ({ cap, servers }: Model): number =>
  cap === null ? Number.POSITIVE_INFINITY : cap - servers.filter(({ hasPlace }) => hasPlace).length;

/** Assigns free places, oldest installation first. */
function admit(model: Model): void {
  const age = ({ installation }: ModelServer): number => installation?.id ?? Number.POSITIVE_INFINITY;
  const waiting = model.servers.filter(({ stated, hasPlace }) => stated?.state === 'authorised' && !hasPlace);
  waiting.sort((a, b) => (age(a) === age(b) ? 0 : age(a) - age(b)));
  for (const server of waiting) {
    if (free(model) <= 0) return;
    server.hasPlace = true;
    applyEffectiveStates(model, server);
  }
}

/** Gives the grants their effective states. A revoked grant never changes, so restored access is a new grant. */
function applyEffectiveStates(model: Model, server: ModelServer): void {
  const make = (granted: ModelState): ModelGrant => {
    model.grants += 1;
    return { id: model.grants, state: granted };
  };
  const whole = effective(server, WHOLE_SERVER);
  if (!server.installation || server.installation.state === 'revoked') {
    if (whole === 'revoked') return;
    server.installation = { ...make(whole), scopes: new Map() };
  }
  const { installation } = server;
  installation.state = whole;
  if (whole === 'revoked') return;
  for (const scope of model.scopes) {
    const granted = effective(server, scope);
    const grant = installation.scopes.get(scope);
    if (grant && grant.state !== 'revoked') grant.state = granted;
    else if (granted !== 'revoked') installation.scopes.set(scope, make(granted));
  }
}

interface Change {
  server: number;
  cell: string;
  from: ModelState | null;
  to: ModelState;
}

/** Returns the history of one step: changed grants and new grants. */
export function changesBetween(before: Model, after: Model): Change[] {
  return after.servers.flatMap(({ installation }, server): Change[] => {
    if (!installation) return [];
    const old = before.servers[server]?.installation;
    const isSame = old?.id === installation.id;
    const cells: [string, ModelGrant | undefined, ModelGrant][] = [
      [WHOLE_SERVER, isSame ? old : undefined, installation],
      ...[...installation.scopes].map(([scope, grant]): [string, ModelGrant | undefined, ModelGrant] => {
        const was = isSame ? old?.scopes.get(scope) : undefined;
        return [scope, was?.id === grant.id ? was : undefined, grant];
      }),
    ];
    return cells.flatMap(([cell, was, is]) =>
      was?.state === is.state ? [] : [{ server, cell, from: was?.state ?? null, to: is.state }],
    );
  });
}
