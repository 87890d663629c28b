// Triggers: each event type can be triggered, on a named object or on a suitable one.
import { describe, expect, test } from 'vitest';
import { eventErrors } from '../../../test/event-errors.ts';
import { expectContiguous, useWorld } from '../../../test/world.fixture.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { EVENT_TYPES } from '../../resources/events/index.ts';

const { sandbox, app, query, events, trigger, reset } = useWorld();

describe('triggers of events', () => {
  test.each(EVENT_TYPES)('triggering %s changes an object of a small world and returns the event', async (type) => {
    if (type === 'installation.resumed') await trigger('installation.paused');
    const answer = await trigger(type);
    expect([answer.status, answer.body.type]).toEqual([201, type]);
    const allEvents = await events();
    expect(allEvents.at(-1)).toEqual(answer.body);
    expectContiguous(allEvents);
    expect(eventErrors(answer.body)).toEqual([]);
    const audited = await query("select detail from audit_entries where app_id = $1 and action = 'event.trigger'");
    expect(audited.at(-1)).toEqual({ detail: { type } });
  });

  test('a trigger changes the object that it names', async () => {
    const named = app().serverIds[3];
    expect((await trigger('server.updated', named)).body.subject.id).toBe(named);
    expect((await trigger('ticket.created', named)).body.data.serverId).toBe(named);
    const { token } = await app().key();
    const list = await sandbox().call<{ data: { id: string; status: string }[] }>(
      `/v1/servers/${named}/publications`,
      token,
    );
    const published = list.body.data.find((one) => one.status === 'published')?.id;
    expect((await trigger('publication.archived', published)).body.subject.id).toBe(published);
    expect((await sandbox().call(`/v1/publications/${published}`, token)).body.status).toBe('archived');
    const again = await trigger('publication.archived', published);
    expect([again.status, again.body.code]).toEqual([409, 'conflict']);
  });

  const make = (body: object) =>
    sandbox().manage<{
      type: string;
      schemaVersion: number;
      data: object;
      errors?: { pointer: string; detail: string }[];
    }>('POST', `/apps/${app().id}/world/events`, body);

  test.each([
    ['publication.published', { title: 'News', bodyMarkdown: '# All', tags: ['a', 'b'] }],
    ['publication.published', { tags: [] }],
    ['publication.updated', { title: 'Newer' }],
    ['roadmap.item_created', { title: 'A calendar', description: 'Of walks' }],
    ['roadmap.item_moved', { status: 'declined' }],
    ['roadmap.item_moved', { status: 'shipped' }],
    ['workflow_run.started', { input: { memberName: 'Imke' } }],
    ['workflow_run.succeeded', { input: { memberName: 'Imke' } }],
    ['workflow_run.failed', { input: { memberName: 'Imke' } }],
  ])('triggering %s uses the given fields', async (type, set) => {
    const workflow = type.startsWith('workflow_run') ? { objectId: await takesMemberName() } : {};
    const { status, body } = await make({ type, set, ...workflow });
    expect([status, body.data]).toEqual([201, expect.objectContaining(set)]);
    expect(eventErrors(body)).toEqual([]);
  });

  /** Returns a workflow whose input has only this field. */
  async function takesMemberName(): Promise<string> {
    const [found] = await query<{ uuid: string }>(`update workflows set enabled = true, input_schema =
      '{"type":"object","properties":{"memberName":{"type":"string"}},"required":["memberName"],"additionalProperties":false}'
      where app_id = $1 returning workflow_id as uuid`);
    return toId('wfl', found?.uuid ?? '');
  }

  test('a trigger keeps the values of fields that are not given', async () => {
    const { token } = await app().key();
    const id = (await make({ type: 'publication.updated', set: { title: 'One' } })).body;
    const { id: publication, bodyMarkdown } = id.data as { id: string; bodyMarkdown: string };
    const changed = await make({ type: 'publication.updated', objectId: publication, set: { tags: ['x'] } });
    expect(changed.body.data).toMatchObject({ title: 'One', bodyMarkdown, tags: ['x'] });
    expect((await sandbox().call(`/v1/publications/${publication}`, token)).body).toMatchObject({ title: 'One' });
  });

  test('triggering a ticket uses the given fields, and fields that an event does not have are refused', async () => {
    const set = {
      subject: 'Cannot join',
      requester: { name: 'Imke' },
      labels: ['voice'],
      metadata: { source: 'form' },
    };
    const { status, body } = await make({ type: 'ticket.created', set });
    expect([status, body.data]).toEqual([201, expect.objectContaining(set)]);
    expect(eventErrors(body)).toEqual([]);
    for (const [type, wrong, pointer] of [
      ['ping', { subject: 'a' }, '/set/subject'],
      ['ticket.closed', { status: 'shipped' }, '/set/status'],
      ['ticket.created', { title: 'a' }, '/set/title'],
      ['publication.updated', { subject: 'a' }, '/set/subject'],
      ['publication.updated', { title: 'a'.repeat(201) }, '/set/title'],
      ['roadmap.item_moved', { status: 'lost' }, '/set/status'],
      ['workflow_run.started', { input: { no: { such: 'word' } } }, '/set/input/no'],
      ['ticket.created', { subject: '' }, '/set/subject'],
      ['ticket.created', { status: 'closed' }, '/set/status'],
      ['ticket.created', { id: 'tkt_1' }, '/set/id'],
    ] as const) {
      const refused = await make({ type, set: wrong });
      expect([refused.status, refused.body.errors?.[0]?.pointer]).toEqual([400, pointer]);
    }
  });

  test('triggering a pause notifies the app and holds other deliveries of the server', async () => {
    const { id: keyId, token } = await app().key();
    const endpoint = { url: 'http://127.0.0.1:1/hooks', keyId, eventTypes: ['installation.paused', 'ticket.created'] };
    await sandbox().manage('POST', `/apps/${app().id}/endpoints`, endpoint);
    await trigger('ticket.created', app().serverIds[2]);
    await trigger('installation.paused', app().serverIds[2]);
    const deliveries = await query(
      'select e.type, d.status from deliveries d join events e using (app_id, event_id) where app_id = $1 order by 1',
    );
    expect(deliveries).toEqual([
      { type: 'installation.paused', status: 'pending' },
      { type: 'ticket.created', status: 'held' },
    ]);
    const read = await sandbox().call(`/v1/servers/${app().serverIds[2]}`, token);
    expect(read.body.code).toBe('installation_paused');
  });

  test.each([
    ['ping', 'pub_01j9z3v8k6e5t8m2n4p6q8r0s5', 400],
    ['publication.updated', 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2', 400],
    ['ping', 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2', 409],
    ['ticket.closed', 'tkt_01j9z3v8k6e5t8m2n4p6q8r0s4', 409],
    ['installation.resumed', undefined, 409],
    ['no.such', undefined, 400],
  ])('triggering %s on %s is refused and changes nothing', async (type, objectId, status) => {
    expect((await trigger(type, objectId)).status).toBe(status);
    expect(await events()).toEqual([]);
  });

  test('a refused trigger says why: the object does not exist, or is in another state', async () => {
    const why = async (type: string, objectId?: string): Promise<unknown> => {
      const { status, body } = await trigger(type, objectId);
      return status === 409 ? (body as unknown as { detail: string }).detail : status;
    };
    const ids = async (table: string, id: string, prefix: 'pub' | 'tkt' | 'wfl'): Promise<string[]> =>
      (await query<{ uuid: string }>(`select ${id} as uuid from ${table} where app_id = $1`)).map(({ uuid }) =>
        toId(prefix, uuid),
      );
    const server = app().serverIds[1] ?? '';
    const [publication = ''] = await ids('publications', 'publication_id', 'pub');
    const [ticket = ''] = await ids('tickets', 'ticket_id', 'tkt');
    const [workflow = ''] = await ids('workflows', 'workflow_id', 'wfl');
    const stranger = await sandbox().newApp();
    const unknownId = 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2';

    expect(await why('ping', unknownId)).toBe(
      'The world has no server with this identifier; a reset may have removed it.',
    );
    expect(await why('ping', stranger.serverIds[0])).toBe(await why('ping', unknownId));
    expect(await why('ticket.closed', 'tkt_01j9z3v8k6e5t8m2n4p6q8r0s4')).toMatch(/^The world has no ticket with this/);
    await query("update publications set status = 'published', published_at = created_at where app_id = $1");
    expect(await why('publication.published', publication)).toBe('The publication is published already.');
    expect(await why('publication.published')).toBe('Every publication is published already.');
    await query("update publications set status = 'draft', published_at = null where app_id = $1");
    expect(await why('publication.updated', publication)).toBe('The publication is not published.');
    expect(await why('publication.archived')).toBe('No publication is published.');
    await query("update tickets set status = 'closed' where app_id = $1");
    expect(await why('ticket.closed', ticket)).toBe('The ticket is closed.');
    expect(await why('ticket.updated')).toBe('Every ticket is closed.');
    await query('update workflows set enabled = false where app_id = $1');
    expect(await why('workflow_run.failed', workflow)).toBe('The workflow is disabled.');
    expect(await why('workflow_run.started')).toBe('Every workflow is disabled.');
    expect(await why('installation.resumed', server)).toBe('The installation on the server is not paused.');
    expect(await why('installation.resumed')).toBe('No installation is paused.');
    await trigger('installation.paused', server);
    expect(await why('installation.paused', server)).toMatch(/^The server does not authorise the app: there/);
    for (const serverId of app().serverIds) await trigger('installation.paused', serverId);
    expect(await why('installation.paused')).toMatch(/^No server authorises the app: there/);
    await query(`insert into roadmap_items
      select (jsonb_populate_record(r, jsonb_build_object('roadmap_item_id', gen_random_uuid()))).*
      from roadmap_items r, generate_series(1, 10) where app_id = $1`);
    expect(await why('roadmap.item_created', server)).toBe(
      'The roadmap of the server already has the maximum number of items.',
    );
    await query('delete from installation_scopes where app_id = $1');
    await query('delete from installations where app_id = $1');
    expect(await why('server.updated', server)).toBe('The app was never authorised on the server.');
    expect(await why('server.updated')).toMatch(/^The app was never authorised on the newest server/);
  });

  test('a trigger in an empty world is refused, because it has no objects', async () => {
    await reset({ preset: 'empty' });
    for (const type of EVENT_TYPES) {
      const { status, body } = await trigger(type);
      const why = expect.stringMatching(/^The world has no [a-z ]+: reset it to a preset that has some\.$/);
      expect([type, status, body]).toEqual([type, 409, expect.objectContaining({ detail: why })]);
    }
    expect(sandbox().errors).toEqual([]);
  });
});
