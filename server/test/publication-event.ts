// An event with a publication: reading it requires events:read and the scope of publications.
import { fromId } from '../src/kit/crypto/ids.ts';
import type { Subject } from './access-change-subject.ts';

export const PUBLICATION_TYPE = 'publication.updated';

/**
 * Makes the service wrong: it judges each event of this app by events:read only. Call it before the app's first event.
 */
export const judgeByEventsReadOnly = ({ testEnvironment, appId }: Subject): Promise<unknown> =>
  testEnvironment.superuser(`set session_replication_role = replica;
    update apps set enforces_event_scopes = false where app_id = '${fromId('app', appId)}';
    set session_replication_role = origin`);

interface ReadList {
  data: { id: string; status?: string }[];
}

async function readList(subject: Subject, token: string, path: string): Promise<ReadList> {
  const question = { scope: undefined, method: 'GET', path } as const;
  const { status, text } = await subject.testEnvironment.ask(0, token, question);
  return status === 503 ? readList(subject, token, path) : JSON.parse(text);
}

/** Returns the id of an event with a publication on the server, once the feed shows it. By default any such event. */
export async function shownPublicationEvent(
  subject: Subject,
  serverId: string,
  token: string,
  isWanted: (id: string) => boolean = () => true,
): Promise<string> {
  for (;;) {
    const { data } = await readList(subject, token, `/v1/events?serverId=${serverId}&type=${PUBLICATION_TYPE}`);
    const shown = data.find(({ id }) => isWanted(id));
    if (shown) return shown.id;
  }
}

/** Causes an event with a publication on the server. Returns its id once the feed shows the event. */
export async function publicationEvent(subject: Subject, serverId: string, token: string): Promise<string> {
  const { testEnvironment, appId } = subject;
  const { data: publications } = await readList(subject, token, `/v1/servers/${serverId}/publications`);
  const objectId = publications.find(({ status }) => status === 'published')?.id;
  const { text } = await testEnvironment.manage('POST', `/apps/${appId}/world/events`, {
    type: PUBLICATION_TYPE,
    objectId,
  });
  const { id: wanted } = JSON.parse(text);
  return shownPublicationEvent(subject, serverId, token, (id) => id === wanted);
}
