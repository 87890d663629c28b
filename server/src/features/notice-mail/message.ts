// What a notice says as a mail. Names are what people typed: they stand in quotes and make no line of their own.
import type { NewMessage } from '../mail/index.ts';
import type { UntakenNotice } from '../notices/index.ts';

type Text = Omit<NewMessage, 'to'>;

export function messageOf(notice: UntakenNotice, environment: string, consoleUrl: string): Text {
  const which = `The key "${notice.keyName}" (${notice.kid}) of the app "${notice.appName}" in the ${environment}`;
  const text = notice.kind === 'key_leaked' ? leaked(which, notice) : expires(which, notice);
  const where = `You get this because you are an owner or admin of its organisation, or generated the key:\n${consoleUrl}`;
  return { subject: subjectOf(notice), text: `${text}\n\n${where}\n` };
}

function subjectOf({ kind, keyName, daysAhead }: UntakenNotice): string {
  if (kind === 'key_leaked') return `The key "${keyName}" was reported as leaked and is revoked`;
  return `The key "${keyName}" expires in ${daysAhead === 1 ? 'a day' : `${daysAhead} days`}`;
}

function expires(which: string, { expiresAt }: UntakenNotice): string {
  const at = `${expiresAt.slice(0, 10)} at ${expiresAt.slice(11, 16)} UTC`;
  return [
    `${which} expires on ${at}. An expiry cannot be moved.`,
    'Rotate the key before: its successor takes over endpoints and deliveries, and both keys work for up to 24 hours, so that whatever uses it can be told.',
  ].join('\n\n');
}

function leaked(which: string, { foundAt }: UntakenNotice): string {
  return [
    `${which} was reported by somebody who holds it. It was revoked at once: no request with it is accepted any more, and no delivery through it begins.`,
    ...(foundAt === null ? [] : [`It was found at ${foundAt}`]),
    'Generate another key, and look in the Request Inspector for what was done with this one.',
  ].join('\n\n');
}
