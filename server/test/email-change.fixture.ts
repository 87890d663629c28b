// Changes of a person's e-mail address, as the person makes them.
import { expect } from 'vitest';
import type { Answer } from './app.ts';
import type { TestConsole, TestVisitor } from './console-app.ts';

export const EMAIL_PASSWORD = 'a long sentence is a good one';

export function emailChanges(site: () => TestConsole) {
  const query = (text: string, values: unknown[] = []) => site().database.superuser.query(text, values);
  let addresses = 0;

  const mailsTo = async (email: string): Promise<{ subject: string; text: string }[]> => {
    const { rows } = await query(
      'select subject, text from outbox where recipient = $1 order by queued_at, message_id',
      [email],
    );
    return rows;
  };
  const tokenMailedTo = async (email: string, page: string): Promise<string> => {
    const texts = (await mailsTo(email)).map(({ text }) => new RegExp(`${page}#token=(\\S+)`).exec(text)?.[1]);
    return texts.findLast((token) => token !== undefined) ?? '';
  };
  const request = (visitor: TestVisitor, email: string, currentPassword = EMAIL_PASSWORD): Promise<Answer> =>
    visitor.call('POST', '/api/email-changes', { email, currentPassword });
  const confirm = (visitor: TestVisitor, token: string): Promise<Answer> =>
    visitor.call('PUT', '/api/email-changes', { token });
  const undo = (token: string, password = 'another long sentence'): Promise<Answer> =>
    site().newVisitor().call('POST', '/api/email-changes/undo', { token, password });

  /** Requests the address and returns the token that is mailed to it. */
  async function requested(visitor: TestVisitor, email: string): Promise<string> {
    expect((await request(visitor, email)).status).toBe(202);
    return tokenMailedTo(email, '/confirm-email');
  }

  /** Changes the address, and returns the token that restores the previous one. */
  async function change(visitor: TestVisitor, email: string): Promise<string> {
    const before = await emailOf(visitor);
    expect((await confirm(visitor, await requested(visitor, email))).status).toBe(204);
    return tokenMailedTo(before ?? '', '/restore-email');
  }

  const emailOf = async (visitor: TestVisitor): Promise<string | undefined> =>
    (await visitor.call<{ person?: { email: string } }>('GET', '/api/session')).body.person?.email;

  return {
    query,
    mailsTo,
    tokenMailedTo,
    request,
    requested,
    confirm,
    change,
    undo,
    emailOf,
    /** Returns an address that has no account. */
    freeEmail(): string {
      addresses += 1;
      return `free${addresses}@example.com`;
    },
    setPassword: async (visitor: TestVisitor): Promise<void> => {
      expect((await visitor.call('PUT', '/api/password', { password: EMAIL_PASSWORD })).status).toBe(204);
    },
    signIn: (email: string, password = EMAIL_PASSWORD): Promise<Answer> =>
      site().newVisitor().call('POST', '/api/session', { email, password }),
  };
}
