// Every way in which access ends or returns, applied in turn to one app. Each has questions that detect it: reads,
// mutations, lists and single objects. The caller supplies the environment: one process, or nodes on the network.
import { computeVerifier, newKeyToken, SCOPES, type Scope } from '../src/access/authority/index.ts';
import { fromId, newUuid, toId } from '../src/kit/crypto/ids.ts';
import type { AccessProbe, AccessProbeResponse, Subject, TestEnvironment } from './access-change-subject.ts';
import { boundDatabaseTime } from './database-time.ts';
import { type AccessHistory, watchChange } from './linearizable.ts';
import { PUBLICATION_TYPE, publicationEvent } from './publication-event.ts';

export type { AccessProbe, AccessProbeResponse, Subject, TestEnvironment };

export interface Change {
  /** The kind of the change in words. */
  kind: string;
  becomes: 'refused' | 'allowed';
  /** The code of a refused question. */
  code: string;
  token: string;
  questions: readonly AccessProbe[];
  isDated: boolean;
  make(): Promise<{ askedMs: number; answeredMs: number } | undefined>;
}

const BODY = { subject: 'Asked at the last moment', body: 'Is this call still allowed?' };

/**
 * Returns questions about a server and its objects. With the id of an event with a publication, also about that event.
 */
export async function accessProbesOn(
  { testEnvironment }: Subject,
  serverId: string,
  token: string,
  eventId?: string,
): Promise<AccessProbe[]> {
  const on = `/v1/servers/${serverId}`;
  const first = async (path: string): Promise<string> => {
    const { status, text } = await testEnvironment.ask(0, token, { scope: undefined, method: 'GET', path });
    if (status === 503) return first(path);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return JSON.parse(text).data.at(-1).id;
  };
  const workflow = `/v1/workflows/${await first(`${on}/workflows`)}`;
  const get = (scope: Scope, path: string): AccessProbe => ({ scope, method: 'GET', path });
  const post = (scope: Scope, path: string, body: object): AccessProbe => ({ scope, method: 'POST', path, body });
  const ofPublication = { ...get('events:read', ''), resourceScope: 'publications:read' } as const;
  return [
    { ...get('servers:read', '/v1/servers'), names: serverId },
    post('tickets:create', `${on}/tickets`, BODY),
    get('servers:read', on),
    get('publications:read', `${on}/publications`),
    get('publications:read', `/v1/publications/${await first(`${on}/publications`)}`),
    post('workflows:run', `${workflow}/runs`, { input: { memberName: 'Imke' } }),
    get('roadmap:read', `${on}/roadmap`),
    get('roadmap:read', `/v1/roadmap/${await first(`${on}/roadmap`)}`),
    get('events:read', `/v1/events?serverId=${serverId}`),
    ...(eventId === undefined
      ? []
      : [
          { ...ofPublication, path: `/v1/events/${eventId}` },
          { ...ofPublication, path: `/v1/events?serverId=${serverId}&type=${PUBLICATION_TYPE}`, names: eventId },
        ]),
    get('workflows:run', `${on}/workflows`),
  ];
}

/** Inserts a key with this lifetime directly. No quota counts it, and the API cannot create such a short lifetime. */
export async function newKey(
  { testEnvironment, appId }: Subject,
  seconds = 86_400,
): Promise<{ id: string; token: string }> {
  const { kid, token } = newKeyToken(testEnvironment.environment);
  const { current, keys } = testEnvironment.peppers;
  const pepper = keys[current];
  if (!pepper) throw new Error(`There is no pepper of version ${current}.`);
  const id = newUuid();
  await testEnvironment.superuser(
    `insert into keys (app_id, key_id, kid, verifier, pepper_version, name, scopes, created_by, created_at, expires_at)
     values ($1, $2, $3, $4, $5, 'A key', $6, 'c', now(), clock_timestamp() + make_interval(secs => $7))`,
    [fromId('app', appId), id, kid, computeVerifier(token, pepper), current, SCOPES, seconds],
  );
  return { id, token };
}

/** Long enough for every reader to have been allowed several times, also on a busy machine. */
const DATED_SECONDS = 0.4;

/** Yields changes without end, in a cycle. */
export async function* changesOf(subject: Subject): AsyncGenerator<Change> {
  const { testEnvironment, appId } = subject;
  const app = `/apps/${appId}`;
  const { token } = await newKey(subject);
  const questions = new Map<string, AccessProbe[]>();
  for (const id of subject.serverIds) {
    const eventId = await publicationEvent(subject, id, token);
    questions.set(id, await accessProbesOn(subject, id, token, eventId));
  }
  const me: AccessProbe = { scope: undefined, method: 'GET', path: '/v1/me' };

  for (let round = 0; ; round++) {
    const serverId = subject.serverIds[round % subject.serverIds.length] ?? '';
    const scope = SCOPES[round % SCOPES.length] ?? 'servers:read';
    const all = questions.get(serverId) ?? [];
    const installation = `${app}/servers/${serverId}/installation`;
    const scoped = `${installation}/scopes/${scope}`;
    const change = (kind: string, code: string, more: Partial<Change>, make: () => Promise<unknown>): Change => ({
      ...{ kind, code, token, questions: all, becomes: 'refused', isDated: false, ...more },
      make: async () => void (await make()),
    });
    const put = (path: string, state: string) => () => testEnvironment.manage('PUT', path, { state });
    const revokedKey = async (): Promise<Change> => {
      const key = await newKey(subject);
      const more = { token: key.token, questions: [me, ...all] };
      const revoke = () => testEnvironment.manage('POST', `${app}/keys/${toId('key', key.id)}/revoke`);
      return change('a key is revoked', 'revoked_key', more, revoke);
    };
    const paused = 'installation_paused';
    const revoked = 'installation_revoked';
    const needsScope = (question: AccessProbe): boolean => [question.scope, question.resourceScope].includes(scope);
    const ofScope = { questions: all.filter(needsScope) };

    yield await revokedKey();
    yield change('an installation is paused', paused, {}, put(installation, 'paused'));
    yield change('an installation is resumed', paused, { becomes: 'allowed' }, put(installation, 'authorised'));
    yield await revokedKey();
    yield change('a scope is paused', paused, ofScope, put(scoped, 'paused'));
    yield change('a scope is resumed', paused, { ...ofScope, becomes: 'allowed' }, put(scoped, 'authorised'));
    yield await revokedKey();
    yield change('a scope is revoked', revoked, ofScope, put(scoped, 'revoked'));
    await put(scoped, 'authorised')();
    yield await revokedKey();
    yield change('an installation is revoked', revoked, {}, put(installation, 'revoked'));
    await put(installation, 'authorised')();
    yield await revokedKey();
    const many = (state: string) => () =>
      testEnvironment.manage('POST', `${app}/installation-changes`, { state, includeRevoked: true });
    yield change('all installations are paused', paused, {}, many('paused'));
    await many('authorised')();
    const post = (name: string, body?: object) => () => testEnvironment.manage('POST', `${app}/${name}`, body);
    yield change('an app is suspended', 'app_suspended', {}, post('suspend'));
    yield change('an app is resumed', 'app_suspended', { becomes: 'allowed' }, post('resume'));
    yield change('an app is deleted', 'app_suspended', {}, post('delete', {}));
    await post('restore')(); // leaves the app suspended
    await post('resume')();
    yield await keyEndChange(subject, all, 'a key expires', 'expired_key');
    yield await keyEndChange(subject, all, 'a rotated key ends', 'revoked_key');
  }
}

/** Returns a change without a request: the key becomes invalid at a time of the database's clock. */
async function keyEndChange(
  subject: Subject,
  questions: readonly AccessProbe[],
  kind: 'a key expires' | 'a rotated key ends',
  code: string,
): Promise<Change> {
  const { superuser } = subject.testEnvironment;
  const expires = kind === 'a key expires';
  const key = await newKey(subject, expires ? DATED_SECONDS : undefined);
  const ends = 'update keys set ends_at = clock_timestamp() + make_interval(secs => $2) where key_id = $1';
  if (!expires) await superuser(ends, [key.id, DATED_SECONDS]);
  const [row] = await superuser<{ ms: number }>(
    'select (extract(epoch from least(expires_at, ends_at)) * 1000)::float8 as ms from keys where key_id = $1',
    [key.id],
  );
  const make = await boundDatabaseTime(superuser, row?.ms ?? Number.NaN);
  return { kind, code, token: key.token, questions, becomes: 'refused', isDated: true, make };
}

export interface Load {
  nodes: number;
  readers: number;
  questions: number;
  /** Called when the change has been answered, concurrently with the first questions after it. */
  onAnswered?(): Promise<void>;
}

/** Watches one change. Counts mutations that were written after the change was answered. */
export async function measureChange(
  subject: Subject,
  change: Change,
  load: Load,
): Promise<AccessHistory & { writtenAfter: number }> {
  const { testEnvironment } = subject;
  const turns = new Map<number, number>();
  let countLater: (() => Promise<number>) | undefined;
  const stops = change.becomes === 'refused' && !change.isDated;
  const mutations = change.questions.filter(({ method }) => method === 'POST');
  // A reader on each node only mutates, so that a mutation is in progress at each change.
  const questionsOf = (reader: number): readonly AccessProbe[] =>
    reader >= load.readers - load.nodes && mutations.length > 0 ? mutations : change.questions;
  const history = await watchChange({
    ...{ becomes: change.becomes, isDated: change.isDated, readers: load.readers, questions: load.questions },
    async ask(reader) {
      const turn = turns.get(reader) ?? Math.floor(reader / load.nodes);
      turns.set(reader, turn + 1);
      const questions = questionsOf(reader);
      const question = questions[turn % questions.length];
      if (!question) throw new Error(`No question exists for ${change.kind}.`);
      return interpretResponse(
        change,
        question,
        await testEnvironment.ask(reader % load.nodes, change.token, question),
      );
    },
    change: change.make,
    async onAnswered() {
      if (stops) countLater = await observeWrites(subject);
      await load.onAnswered?.();
    },
  });
  return { ...history, writtenAfter: (await countLater?.()) ?? 0 };
}

function interpretResponse(
  change: Change,
  question: AccessProbe,
  { status, code, text }: AccessProbeResponse,
): boolean | undefined {
  if (status < 300) return question.names === undefined || text.includes(question.names);
  if (code === change.code) return false;
  if (code === 'unavailable' || code === 'timeout') return undefined;
  throw new Error(`While ${change.kind}: ${question.method} ${question.path} was answered ${status} ${text}`);
}

/** Returns a function that counts the mutations that were written after this call. */
async function observeWrites(subject: Subject): Promise<() => Promise<number>> {
  const { testEnvironment, appId } = subject;
  if (testEnvironment.observeForwarded) {
    const count = await testEnvironment.observeForwarded(appId);
    return async () => count();
  }
  const before = await countWritten(subject);
  return async () => (await countWritten(subject)) - before;
}

async function countWritten({ testEnvironment, appId }: Subject): Promise<number> {
  const [row] = await testEnvironment.superuser<{ n: number }>(
    `select (select coalesce(sum(last_number), 0) from ticket_numbers where app_id = $1)::int
       + (select count(*) from workflow_runs where app_id = $1)::int as n`,
    [fromId('app', appId)],
  );
  return row?.n ?? Number.NaN;
}
