// The contract `spaces` of the tests in the view of the sweep: granting objects, objects below them, objects of the
// account, parents in bodies, and identifiers that are numbers.
import { toId } from '../../src/kit/crypto/ids.ts';
import { accountOf } from '../../src/resources/objects/index.ts';
import { until } from '../harness.ts';
import { missingId, newNumber, uuidOf } from './copied-rows.ts';
import { SPACES_API, SPACES_SCOPES } from './spaces-model.ts';
import type { SweptContract, TemplateObject } from './swept-contract.ts';

const NAME = { name: 'Tea' };
/** The identifiers that are numbers. */
const NUMBERS = ['spaceId', 'taskId', 'attachmentId'];

export const SPACES: SweptContract = {
  scopes: SPACES_SCOPES,
  rules: SPACES_API,
  additionalForms: {
    listEvents: { name: 'listEvents of a server', path: '/v1/events?serverId={serverId}' },
    getEvent: { name: 'getEvent of a ping', path: '/v1/events/{pingId}' },
  },
  calls: {
    renameSpace: { body: NAME },
    createTask: { body: NAME },
    addTask: { body: { ...NAME, space_id: '{spaceId}' } },
    putTask: { path: '/v1/spaces/{spaceId}/tasks/{newId}', body: NAME },
    changeTask: { body: NAME },
    checkTask: { path: '/v1/tasks/{taskId}/checks/one' },
    estimateTasks: { body: { hours: 2 } },
    addComment: { body: NAME },
    addAttachment: { body: { ...NAME, task_id: '{taskId}' } },
    changeAttachment: { body: NAME },
  },
  ends: ['deleteTask'],
  missingId(name) {
    if (NUMBERS.includes(name)) return newNumber();
    return { serverId: missingId('srv'), eventId: missingId('evt'), pingId: missingId('evt') }[name];
  },
  lists: [
    {
      path: '/v1/spaces',
      scopes: ['spaces:read'],
      granted: ['spaces:read'],
      idName: 'spaceId',
      idIn: ({ id }) => id,
      position: 'after',
    },
    ...[
      { path: '/v1/tasks', scopes: ['tasks:read'] },
      { path: '/v1/open-tasks', scopes: ['tasks:read', 'spaces:read'] },
    ].map(({ path, scopes }) => ({
      ...{ path, scopes, granted: scopes, idName: 'spaceId', position: 'after' as const },
      idIn: (item: Readonly<Record<string, unknown>>) => item.space_id,
    })),
    {
      path: '/v1/events',
      scopes: ['events:read'],
      // Each server has an event of a task.
      granted: ['events:read', 'tasks:read'],
      idName: 'serverId',
      idIn: ({ type, serverId }) => (type === 'ping' ? undefined : serverId),
      position: 'after',
    },
  ],
  eventTypes: ['task.created', 'task.changed'],
  deprecationId: 'plan-changed',
  triggerId: (serverId) => serverId.replace('srv_', 'spc_'),
  worldObject: {
    prefix: 'pln',
    table: 'objects',
    column: 'object_id',
    only: { kind: 'plan' },
    rest: (appId) => ({ key: newNumber(), server_id: accountOf(uuidOf(appId)) }),
  },
  rowsOfServer: [],
  hasAccount: true,
  async makeObjects(call, db, appId) {
    const app_id = uuidOf(appId);
    /** Gives an object a number that no other text of the rows contains, because copies replace it as text. */
    async function numbered(kind: string, where: Readonly<Record<string, string>> = {}): Promise<TemplateObject> {
      const row = await db.rowOf('objects', { app_id, kind, ...where });
      const [id, uuid] = [newNumber(), String(row.object_id)];
      await db.update('objects', { app_id, object_id: uuid }, { key: id });
      return { name: `${kind}Id`, id, uuid, table: 'objects', column: 'object_id' };
    }
    const space = await numbered('space');
    const taskId = newNumber();
    await call('PUT', `/v1/spaces/${space.id}/tasks/${taskId}`, NAME);
    await call('POST', `/v1/tasks/${taskId}/comments`, NAME);
    await call('POST', '/v1/attachments', { ...NAME, task_id: Number(taskId) });
    const uuid = String((await db.rowOf('objects', { app_id, kind: 'task', key: taskId })).object_id);
    // The feed shows an event when no running transaction of the cluster can come before it.
    const eventId = await until(async () => (await call('GET', '/v1/events?type=task.created')).data[0]?.id, 30_000);
    return [
      { name: 'serverId', id: toId('srv', space.uuid), uuid: space.uuid, table: 'servers', column: 'server_id' },
      space,
      { name: 'taskId', id: taskId, uuid, table: 'objects', column: 'object_id' },
      await numbered('comment', { parent_id: uuid }),
      await numbered('attachment', { parent_id: uuid }),
      { name: 'eventId', id: eventId, uuid: uuidOf(eventId), table: 'events', column: 'event_id' },
    ];
  },
};
