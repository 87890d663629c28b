// What a developer makes happen: any event, on an object of the app's world.
import { describe, expect, test } from 'vitest';
import { EVENT_TYPES } from '../src/features/events/index.ts';
import { schemaErrors, type TSchema } from '../src/kit/schema.ts';
import { componentsOf, eventData } from './event-data.ts';
import { app, events, expectContiguous, query, reset, sandbox, trigger } from './living-world.ts';

describe('a trigger', () => {
  test.each(
    EVENT_TYPES,
  )('of %s brings it about on an object of a small world, and answers with the event', async (type) => {
    if (type === 'installation.resumed') await trigger('installation.paused');
    const answer = await trigger(type);
    expect([answer.status, answer.body.type]).toEqual([201, type]);
    const told = await events();
    expect(told.at(-1)).toEqual(answer.body);
    expectContiguous(told);
    const components = componentsOf();
    expect(schemaErrors(eventData(components, type) as TSchema, answer.body.data)).toEqual([]);
    const audited = await query("select detail from audit_entries where app_id = $1 and action = 'event.trigger'");
    expect(audited.at(-1)).toEqual({ detail: { type } });
  });

  test('happens on the object that it names', async () => {
    const named = app.serverIds[3];
    expect((await trigger('server.updated', named)).body.subject.id).toBe(named);
    expect((await trigger('ticket.created', named)).body.data.serverId).toBe(named);
    const { token } = await app.key();
    const list = await sandbox.call<{ data: { id: string; status: string }[] }>(
      `/v1/servers/${named}/publications`,
      token,
    );
    const published = list.body.data.find((one) => one.status === 'published')?.id;
    expect((await trigger('publication.archived', published)).body.subject.id).toBe(published);
    expect((await sandbox.call(`/v1/publications/${published}`, token)).body.status).toBe('archived');
    const again = await trigger('publication.archived', published);
    expect([again.status, again.body.code]).toEqual([409, 'conflict']);
  });

  test('of a pause pauses: the app is told, and what else waits for the server is held', async () => {
    const { id: keyId, token } = await app.key();
    const endpoint = { url: 'http://127.0.0.1:1/hooks', keyId, eventTypes: ['installation.paused', 'ticket.created'] };
    await sandbox.manage('POST', `/apps/${app.id}/endpoints`, endpoint);
    await trigger('ticket.created', app.serverIds[2]);
    await trigger('installation.paused', app.serverIds[2]);
    const deliveries = await query(
      'select e.type, d.status from deliveries d join events e using (app_id, event_id) where app_id = $1 order by 1',
    );
    expect(deliveries).toEqual([
      { type: 'installation.paused', status: 'pending' },
      { type: 'ticket.created', status: 'held' },
    ]);
    const read = await sandbox.call(`/v1/servers/${app.serverIds[2]}`, token);
    expect(read.body.code).toBe('installation_paused');
  });

  test.each([
    ['ping', 'pub_01j9z3v8k6e5t8m2n4p6q8r0s5', 400],
    ['publication.updated', 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2', 400],
    ['ping', 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2', 409],
    ['ticket.closed', 'tkt_01j9z3v8k6e5t8m2n4p6q8r0s4', 409],
    ['installation.resumed', undefined, 409],
    ['no.such', undefined, 400],
  ])('of %s on %s is refused and changes nothing', async (type, objectId, status) => {
    expect((await trigger(type, objectId)).status).toBe(status);
    expect(await events()).toEqual([]);
  });

  test('in an empty world has nothing to happen on', async () => {
    await reset({ preset: 'empty' });
    for (const type of EVENT_TYPES) expect([type, (await trigger(type)).status]).toEqual([type, 409]);
    expect(sandbox.errors).toEqual([]);
  });
});
