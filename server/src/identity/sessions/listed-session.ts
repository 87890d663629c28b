// The view that a person has of their own session.
import { dateTime, namedObject, Type, text } from '../../kit/http/schema.ts';
import type { PersonSession } from './identity.ts';

export const SessionId = Type.String({
  description: 'The session.',
  pattern: '^[A-Za-z0-9]{16,64}$',
  minLength: 16,
  maxLength: 64,
  examples: ['k3Q9vXe1mZt7RbN5cY2wHs8LpD4uJf6A'],
});

export const ListedSession = namedObject('ListedSession', 'A session of the signed-in person.', {
  id: SessionId,
  createdAt: dateTime('When the session was opened.'),
  usedAt: dateTime('When the session was last used, to the day.'),
  expiresAt: dateTime('When the session ends, unless it is used before.'),
  address: text('The client address that opened the session.', { maxLength: 64 }),
  userAgent: text('The User-Agent header of the browser.', { maxLength: 300 }),
  isCurrent: Type.Boolean({ description: 'True if the session belongs to this request.' }),
});

export const exampleListedSession = {
  id: 'k3Q9vXe1mZt7RbN5cY2wHs8LpD4uJf6A',
  createdAt: '2026-03-02T09:30:00.000Z',
  usedAt: '2026-03-03T08:00:00.000Z',
  expiresAt: '2026-03-10T08:00:00.000Z',
  address: '192.0.2.7',
  userAgent: 'Mozilla/5.0',
  isCurrent: true,
};

export const toListedSession = (session: PersonSession): typeof exampleListedSession => ({
  ...session,
  createdAt: session.createdAt.toISOString(),
  usedAt: session.usedAt.toISOString(),
  expiresAt: session.expiresAt.toISOString(),
});
