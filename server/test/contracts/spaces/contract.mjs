// A contract for tests of grants: spaces that grant scopes, tasks and comments below them, and plans that the account of
// the app grants.
const name = { type: 'string', minLength: 1, maxLength: 120 };
const spaceId = { type: 'integer', minimum: 1 };
const [READ, WRITE, PLANS] = [['tasks:read'], ['tasks:write'], ['plans:read']];
const body = (properties, required) => ({
  required: true,
  schema: { type: 'object', additionalProperties: false, required, properties },
});
const list = (path, scopes, more = {}) => ({
  effect: 'list',
  method: 'GET',
  path,
  summary: `List ${path}`,
  scopes,
  status: 200,
  content: { of: 'list', in: 'data', paging: { by: 'cursor', parameter: 'after', limit: 'limit', next: 'next' } },
  ...more,
});
const one = (effect, method, path, scopes, more = {}) => ({
  effect,
  method,
  path,
  summary: `${method} ${path}`,
  scopes,
  status: 200,
  content: { of: 'object' },
  ...more,
});

export default (kit) => {
  const shared = { file: import.meta.url, origin: 'made', example: { id: 1, name: 'Tea' } };
  const id = (noun) => ({ field: 'id', form: 'integer', description: `The number of the ${noun}.` });
  const Space = kit.resource({
    ...shared,
    name: 'Space',
    kind: 'space',
    plural: 'spaces',
    noun: 'space',
    description: 'A space of a team.',
    path: 'spaces',
    tag: 'Spaces',
    idPrefix: 'spc',
    scope: 'spaces:read',
    origin: 'seeded',
    grants: true,
    identity: id('space'),
    fields: { name },
    operations: {
      listSpaces: list('/spaces', ['spaces:read']),
      getSpace: one('get', 'GET', '/spaces/{spaceId}', ['spaces:read']),
      renameSpace: one('update', 'PATCH', '/spaces/{spaceId}', ['spaces:write'], { input: body({ name }, ['name']) }),
    },
    events: { 'space.renamed': { meaning: 'A space got another name.', changes: true } },
  });
  const Task = kit.resource({
    ...shared,
    name: 'Task',
    kind: 'task',
    plural: 'tasks',
    noun: 'task',
    description: 'A task of a space.',
    parent: Space,
    path: 'tasks',
    tag: 'Tasks',
    idPrefix: 'tsk',
    scope: 'tasks:read',
    identity: id('task'),
    parentField: 'space_id',
    fields: { space_id: spaceId, name },
    example: { id: 1, space_id: 1, name: 'Tea' },
    operations: {
      listTasksOfSpace: list('/spaces/{spaceId}/tasks', READ),
      listTasks: list('/tasks', READ, { query: { space_id: { schema: spaceId } } }),
      getTask: one('get', 'GET', '/tasks/{taskId}', READ, {
        content: { of: 'object', type: 'application/hal+json' },
      }),
      createTask: one('create', 'POST', '/spaces/{spaceId}/tasks', WRITE, {
        status: 201,
        input: body({ name }, ['name']),
      }),
      addTask: one('create', 'POST', '/tasks', WRITE, {
        summary: 'Add a task',
        status: 201,
        input: body({ name, space_id: spaceId }, ['space_id']),
      }),
      putTask: one('create', 'PUT', '/spaces/{spaceId}/tasks/{taskId}', WRITE, {
        status: 201,
        input: body({ name }, []),
      }),
      changeTask: one('update', 'PATCH', '/tasks/{taskId}', WRITE, { input: body({ name, space_id: spaceId }, []) }),
      listOpenTasks: list('/open-tasks', [...READ, 'spaces:read']),
      checkTask: one('action', 'GET', '/tasks/{taskId}/checks/{part}', [...READ, 'spaces:read'], {
        params: { part: { schema: { type: 'string', maxLength: 20 } } },
        content: { of: 'value', schema: { type: 'object', properties: { ok: { type: 'boolean' } } } },
      }),
      estimateTasks: one('action', 'POST', '/spaces/{spaceId}/estimate', WRITE, {
        input: {
          required: true,
          schema: {
            type: 'object',
            required: ['hours'],
            properties: { hours: { type: 'integer', minimum: 1, default: 8 } },
            oneOf: [
              {
                type: 'object',
                required: ['kind', 'team'],
                properties: { kind: { const: 'team' }, team: { type: 'string', description: 'The name of the team.' } },
              },
              { type: 'object', properties: { kind: { const: 'person' } } },
            ],
          },
        },
        // Names of the body and of a parameter of the management API.
        query: { body: { schema: { type: 'string', maxLength: 20 } }, organisationId: { schema: { type: 'integer' } } },
        content: {
          of: 'value',
          schema: {
            type: 'object',
            required: ['hours', 'cost'],
            properties: { hours: { type: 'integer', minimum: 1, maximum: 8 }, cost: { type: 'number', minimum: 0 } },
          },
        },
      }),
      printTask: one('action', 'POST', '/tasks/{taskId}/print', WRITE, {
        content: {
          of: 'file',
          types: ['application/pdf', 'image/png', 'text/csv; charset=utf-8'],
          maxBytes: 4_000_000,
        },
      }),
      deleteTask: one('delete', 'DELETE', '/tasks/{taskId}', WRITE, { status: 204, content: { of: 'nothing' } }),
    },
    events: {
      'task.created': { meaning: 'A task was created.', creates: true },
      'task.changed': { meaning: 'A task changed.', changes: true },
    },
  });
  const Comment = kit.resource({
    ...shared,
    name: 'Comment',
    kind: 'comment',
    plural: 'comments',
    noun: 'comment',
    description: 'A comment about a task.',
    parent: Task,
    path: 'comments',
    tag: 'Comments',
    idPrefix: 'cmt',
    scope: 'tasks:read',
    identity: id('comment'),
    fields: { name },
    operations: {
      listComments: list('/tasks/{taskId}/comments', READ),
      addComment: one('create', 'POST', '/tasks/{taskId}/comments', [...WRITE, ...READ], {
        status: 201,
        input: body({ name }, []),
      }),
    },
    events: {},
  });
  const task = { type: 'integer', minimum: 1 };
  const Attachment = kit.resource({
    ...shared,
    name: 'Attachment',
    kind: 'attachment',
    plural: 'attachments',
    noun: 'attachment',
    description: 'An attachment of a task, which names no space.',
    parent: Task,
    path: 'attachments',
    tag: 'Attachments',
    idPrefix: 'att',
    scope: 'tasks:read',
    identity: id('attachment'),
    parentField: 'task_id',
    fields: { task_id: task, name },
    example: { id: 1, task_id: 1, name: 'Tea' },
    operations: {
      getAttachment: one('get', 'GET', '/attachments/{attachmentId}', READ),
      addAttachment: one('create', 'POST', '/attachments', WRITE, {
        status: 201,
        input: body({ name, task_id: task }, ['task_id']),
      }),
      changeAttachment: one('update', 'PATCH', '/attachments/{attachmentId}', WRITE, {
        input: body({ name, task_id: task }, []),
      }),
    },
    events: {},
  });
  const Plan = kit.resource({
    ...shared,
    name: 'Plan',
    kind: 'plan',
    plural: 'plans',
    noun: 'plan',
    description: 'A plan, which belongs to no space.',
    path: 'plans',
    tag: 'Plans',
    idPrefix: 'pln',
    scope: 'plans:read',
    identity: id('plan'),
    fields: { name },
    operations: { listPlans: list('/plans', PLANS) },
    events: { 'plan.changed': { meaning: 'A plan changed.', changes: true } },
  });
  return kit.defineContract({
    file: import.meta.url,
    name: 'spaces',
    version: '1.0.0',
    scopes: {
      'spaces:read': 'Read spaces',
      'spaces:write': 'Rename spaces',
      'tasks:read': 'Read tasks',
      'tasks:write': 'Change tasks',
      'plans:read': 'Read plans',
      'events:read': 'Read events',
    },
    keyPresets: {},
    resources: [Space, Task, Comment, Attachment, Plan],
    presets: {
      small: {
        meaning: 'three spaces',
        counts: { spaces: 3, tasks: 4, comments: 2, attachments: 1, plans: 2 },
        script: 'plain',
        tickMs: 600_000,
      },
      empty: {
        meaning: 'one space',
        counts: { spaces: 1, tasks: 1, comments: 0, attachments: 0, plans: 0 },
        script: 'plain',
        tickMs: 600_000,
      },
    },
    deprecations: [
      {
        id: 'plan-changed',
        title: 'The event `plan.changed`',
        replacement: 'Read the plans.',
        announced: '2026-11-28',
        ends: '2099-12-31',
        operations: [],
        where: { in: 'events', type: 'plan.changed' },
      },
    ],
  });
};
