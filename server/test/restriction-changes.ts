// The ways in which access ends and returns in production: an organisation restricts and lifts, and the upstream API
// reports. After each restriction the upstream API reports the server again, which must restore no access.
import { type GrantState, SCOPES, type Scope } from '../src/access/authority/index.ts';
import { type AccessProbe, accessProbesOn, type Change, newKey, type Subject } from './access-changes.ts';
import { shownPublicationEvent } from './publication-event.ts';

export interface UpstreamSubject extends Subject {
  /** Reports through the upstream API the state of the server for the app, with every scope. */
  state(serverId: string, state: GrantState): Promise<unknown>;
  /** Reports through the upstream API an edit of a publication on the server, to the app. */
  publish(serverId: string): Promise<unknown>;
}

/** Yields changes without end, in a cycle. */
export async function* restrictionsOf(subject: UpstreamSubject): AsyncGenerator<Change> {
  const { testEnvironment, appId } = subject;
  const app = `/apps/${appId}`;
  const { token } = await newKey(subject);
  const questions = new Map<string, AccessProbe[]>();
  for (const id of subject.serverIds) {
    await subject.publish(id);
    questions.set(id, await accessProbesOn(subject, id, token, await shownPublicationEvent(subject, id, token)));
  }

  for (let round = 0; ; round++) {
    const serverId = subject.serverIds[round % subject.serverIds.length] ?? '';
    // The first is the scope of publications, on which their events depend too.
    const scope = SCOPES[(round + 1) % SCOPES.length] ?? 'servers:read';
    const all = questions.get(serverId) ?? [];
    const installation = `${app}/servers/${serverId}/installation`;
    const state = (wanted: GrantState) => () => subject.state(serverId, wanted);
    const many = (wanted: GrantState) => () =>
      testEnvironment.manage('POST', `${app}/installation-changes`, { state: wanted, includeRevoked: true });
    const put = (wanted: GrantState, of?: Scope) => () =>
      testEnvironment.manage('PUT', of === undefined ? installation : `${installation}/scopes/${of}`, {
        state: wanted,
      });
    const change = (
      kind: string,
      more: Pick<Change, 'code' | 'becomes'>,
      make: () => Promise<unknown>,
      of?: Scope,
    ) => ({
      ...{ kind, token, isDated: false, ...more },
      questions:
        of === undefined ? all : all.filter((question) => [question.scope, question.resourceScope].includes(of)),
      make: async () => void (await make()),
    });
    /**
     * The change is only the restriction. A report that lifted it would allow questions that begin after its response.
     */
    const thenStated = (restrict: () => Promise<unknown>) => async (): ReturnType<Change['make']> => {
      const askedMs = performance.now();
      await restrict();
      const answeredMs = performance.now();
      await subject.state(serverId, 'authorised');
      return { askedMs, answeredMs };
    };

    for (const withheld of ['paused', 'revoked'] as const) {
      for (const of of [undefined, scope]) {
        const code = `installation_${withheld}`;
        const what = of === undefined ? 'a server' : 'a scope';
        const restrict = change(
          `${what} is ${withheld} by the organisation`,
          { code, becomes: 'refused' },
          async () => {},
          of,
        );
        yield { ...restrict, make: thenStated(put(withheld, of)) };
        yield change(`${what} is ${withheld} no more`, { code, becomes: 'allowed' }, put('authorised', of), of);
      }
    }
    const paused = 'installation_paused';
    const everywhere = change(
      'every server is paused by the organisation',
      { code: paused, becomes: 'refused' },
      async () => {},
    );
    yield { ...everywhere, make: thenStated(many('paused')) };
    await many('authorised')();
    yield change('a server is paused by the upstream API', { code: paused, becomes: 'refused' }, state('paused'));
    yield change('a server is resumed by the upstream API', { code: paused, becomes: 'allowed' }, state('authorised'));
  }
}
