// A mail server for tests: the part of SMTP (RFC 5321) that a client needs, on a real socket.

import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and text, as they were received. */
  raw: string;
}

export interface SmtpServer {
  port: number;
  received: ReceivedMail[];
  /** Each line that a client sent outside of a message. */
  lines: string[];
  close(): Promise<void>;
}

export interface ServerBehaviour {
  /** Never responds. */
  isSilent?: boolean;
  /** The response to RCPT TO. */
  recipientReply?: string;
}

export async function startSmtpServer(habits: ServerBehaviour = {}): Promise<SmtpServer> {
  const received: ReceivedMail[] = [];
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    if (!habits.isSilent) converse(socket, habits, lines, (mail) => received.push(mail));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port, // a TCP address
    received,
    lines,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function converse(socket: Socket, habits: ServerBehaviour, lines: string[], keep: (mail: ReceivedMail) => void): void {
  let mail: ReceivedMail = { from: '', to: [], raw: '' };
  let isData = false;
  let rest = '';
  const say = (text: string): boolean => socket.write(`${text}\r\n`);
  const answers: [RegExp, (match: RegExpExecArray) => void][] = [
    [/^(EHLO|HELO)/i, () => say('250 test')],
    [
      /^MAIL FROM:<(.*?)>/i,
      ([, from = '']) => {
        mail = { from, to: [], raw: '' };
        say('250 ok');
      },
    ],
    [
      /^RCPT TO:<(.*?)>/i,
      ([, to = '']) => {
        mail.to.push(to);
        say(habits.recipientReply ?? '250 ok');
      },
    ],
    [
      /^DATA/i,
      () => {
        isData = true;
        say('354 go on');
      },
    ],
    [/^QUIT/i, () => socket.end('221 bye\r\n')],
  ];
  function take(line: string): void {
    if (!isData) {
      lines.push(line);
      const [answer, match] = firstMatch(answers, line);
      if (answer && match) answer(match);
      else say('500 what?');
    } else if (line === '.') {
      isData = false;
      keep(mail);
      say('250 taken');
    } else mail.raw += `${line.replace(/^\.\./, '.')}\n`;
  }
  say('220 test ESMTP');
  socket.on('data', (chunk) => {
    const parts = (rest + chunk.toString()).split('\r\n');
    rest = parts.pop() ?? '';
    for (const line of parts) take(line);
  });
}

function firstMatch<T>(list: readonly [RegExp, T][], line: string): [T, RegExpExecArray] | [] {
  for (const [pattern, value] of list) {
    const match = pattern.exec(line);
    if (match) return [value, match];
  }
  return [];
}
