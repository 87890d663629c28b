// Sends mail over SMTP to exactly one recipient, with a time limit, and over TLS unless the server is on this machine.
// It never throws for errors of the server; it returns the outcome of the message.
import { type Secret, secret } from '../crypto/secret.ts';

export interface SmtpSettings {
  host: string;
  port: number;
  /** True for TLS from the first byte; otherwise STARTTLS. */
  isImplicitTls: boolean;
  /** True for a server on this machine: TLS is optional, and any certificate is accepted. */
  isLoopback: boolean;
  user: string | undefined;
  password: Secret | undefined;
}

export interface Mail {
  /** The same for each attempt, so that a repeated message can be recognised. */
  messageId: string;
  from: string;
  to: string;
  subject: string;
  text: string;
}

/** `isPermanent`: the server will never accept this message for this recipient. */
type MailOutcome = { kind: 'sent' } | { kind: 'failed'; detail: string; isPermanent: boolean };

export interface Smtp {
  /** Connects and signs in without sending anything. Returns why that failed; undefined if it succeeded. */
  tryOut(): Promise<string | undefined>;
  send(mail: Mail): Promise<MailOutcome>;
  /** Fails messages that are being sent immediately, and all later ones. */
  close(): void;
}

/** Parses `smtp://user:password@host:587` or `smtps://...`. Returns a sentence if the text is something else. */
export function readSmtpUrl(text: string): SmtpSettings | string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '')
    return 'must be smtp://host:port or smtps://host:port.';
  // A library could read options from these parts, such as "accept any certificate".
  if (url.search !== '' || url.hash !== '' || !/^\/?$/.test(url.pathname)) return 'takes no path, query or fragment.';
  const isImplicitTls = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const password = decode(url.password);
  const user = decode(url.username);
  if (password === undefined || user === undefined) return 'has a user name or password that is not percent-encoded.';
  return {
    host,
    port: Number(url.port || (isImplicitTls ? 465 : 587)),
    isImplicitTls,
    isLoopback: /^(localhost|127(\.\d+){3}|::1)$/.test(host),
    user: user === '' ? undefined : user,
    password: password === '' ? undefined : secret(password),
  };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 20_000;
const TOTAL_TIMEOUT_MS = 45_000;

export interface SmtpTimeouts {
  connectMs: number;
  silenceMs: number;
  totalMs: number;
}

const TIMEOUTS: SmtpTimeouts = {
  connectMs: CONNECT_TIMEOUT_MS,
  silenceMs: SILENCE_TIMEOUT_MS,
  totalMs: TOTAL_TIMEOUT_MS,
};

export function createSmtp(settings: SmtpSettings, timeouts: SmtpTimeouts = TIMEOUTS): Smtp {
  // Loaded with the first message, so a process without mail never loads it.
  const opening = (): Promise<{ sendMail(mail: object): Promise<unknown>; verify(): Promise<unknown> }> =>
    import('nodemailer').then(({ createTransport }) =>
      createTransport({
        host: settings.host,
        port: settings.port,
        secure: settings.isImplicitTls,
        requireTLS: !settings.isImplicitTls && !settings.isLoopback,
        tls: { minVersion: 'TLSv1.2', rejectUnauthorized: !settings.isLoopback },
        ...(settings.user !== undefined && {
          auth: { user: settings.user, pass: settings.password?.reveal() ?? '' },
        }),
        connectionTimeout: timeouts.connectMs,
        greetingTimeout: timeouts.connectMs,
        dnsTimeout: timeouts.connectMs,
        socketTimeout: timeouts.silenceMs,
        // A message is text: nothing in it is fetched or read from the disk.
        disableFileAccess: true,
        disableUrlAccess: true,
      }),
    );
  let transport: ReturnType<typeof opening> | undefined;
  const closing = new AbortController();
  return {
    close: () => closing.abort(new Error('The sender was shutting down.')),
    async tryOut() {
      transport ??= opening();
      try {
        const trying = transport.then((open) => open.verify());
        await bounded(trying, timeouts.totalMs, closing.signal);
        return undefined;
      } catch (error) {
        return failureOf(error).detail;
      }
    },
    async send(mail) {
      transport ??= opening();
      const sending = transport.then((open) => open.sendMail(toNodemailer(mail)));
      try {
        await bounded(sending, timeouts.totalMs, closing.signal);
        return { kind: 'sent' };
      } catch (error) {
        return failureOf(error);
      }
    },
  };
}

const toNodemailer = ({ messageId, from, to, subject, text }: Mail): object => ({
  messageId,
  from,
  // An object, because a text would be parsed as a list of addresses.
  to: { name: '', address: to },
  envelope: { from: addressOf(from), to: [to] },
  subject,
  text,
  headers: { 'Auto-Submitted': 'auto-generated' },
});

/** Returns the address in `Name <address>`. */
export const addressOf = (from: string): string => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from;

function bounded(work: Promise<unknown>, totalMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason);
    const timer = setTimeout(() => reject(new Error(`The mail server took longer than ${totalMs} ms.`)), totalMs);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    };
    work.then(() => resolve(), reject).finally(end);
  });
}

const MAX_DETAIL = 300;

function failureOf(error: unknown): Extract<MailOutcome, { kind: 'failed' }> {
  const text = error instanceof Error ? error.message : String(error);
  const detail = text.replaceAll(/[\p{Cc}\s]+/gu, ' ').slice(0, MAX_DETAIL);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const response = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0;
  // A refusal of the recipient or of the message. A refused sign-in or failed TLS is a problem of the
  // settings.
  const isPermanent = response >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
  return { kind: 'failed', detail, isPermanent };
}
