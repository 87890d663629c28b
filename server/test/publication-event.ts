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

/** Causes an event with a publication on the server. Returns its id once the feed shows the event. */
export async function publicationEvent(
  { testEnvironment, appId }: Subject,
  serverId: string,
  token: string,
): Promise<string> {
  const read = async (path: string): Promise<{ data: { id: string; status?: string }[] }> => {
    const { status, text } = await testEnvironment.ask(0, token, { scope: undefined, method: 'GET', path });
    return status === 503 ? read(path) : JSON.parse(text);
  };
  const { data: publications } = await read(`/v1/servers/${serverId}/publications`);
  const objectId = publications.find(({ status }) => status === 'published')?.id;
  const { text } = await testEnvironment.manage('POST', `/apps/${appId}/world/events`, {
    type: PUBLICATION_TYPE,
    objectId,
  });
  const { id } = JSON.parse(text);
  for (;;) {
    const { data: shown } = await read(`/v1/events?serverId=${serverId}&type=${PUBLICATION_TYPE}`);
    if (shown.some((event) => event.id === id)) return id;
  }
}
