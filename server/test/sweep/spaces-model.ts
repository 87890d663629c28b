// The expected response of each operation of the contract `spaces` by caller. This file is of the same kind as model.ts
// and imports nothing else.
import { type ApiRule, PLATFORM } from './model.ts';

export const SPACES_SCOPES = [
  'spaces:read',
  'spaces:write',
  'tasks:read',
  'tasks:write',
  'plans:read',
  'events:read',
] as const;

const READ = ['tasks:read'];
const WRITE = ['tasks:write'];
const onServer = (needs: readonly string[], status = 200): ApiRule => ({ needs, isOnServer: true, status });

export const SPACES_API: Readonly<Record<string, ApiRule>> = {
  ...PLATFORM,
  listSpaces: { needs: ['spaces:read'] },
  getSpace: onServer(['spaces:read']),
  renameSpace: onServer(['spaces:write']),
  listTasksOfSpace: onServer(READ),
  listTasks: { needs: READ },
  getTask: onServer(READ),
  createTask: onServer(WRITE, 201),
  addTask: onServer(WRITE, 201),
  putTask: onServer(WRITE, 201),
  changeTask: onServer(WRITE),
  listOpenTasks: { needs: ['tasks:read', 'spaces:read'] },
  checkTask: onServer(['tasks:read', 'spaces:read']),
  estimateTasks: onServer(WRITE),
  printTask: onServer(WRITE),
  deleteTask: onServer(WRITE, 204),
  listComments: onServer(READ),
  addComment: onServer(['tasks:write', 'tasks:read'], 201),
  getAttachment: onServer(READ),
  addAttachment: onServer(WRITE, 201),
  changeAttachment: onServer(WRITE),
  // A plan belongs to no space.
  listPlans: { needs: ['plans:read'], isOnAccount: true },
  // The event is one of a task.
  getEvent: { needs: ['events:read'], resource: 'tasks:read', isOnServer: true },
};
