// Commands that check a receiver: receiver drills, and the diagnosis of a signature.
import { readFileSync } from 'node:fs';
import type { DrillDetail } from '@slipway/sdk/management';
import { type CommandSpec, list, option, required, timestamp } from '../command.ts';
import { CommandError, UsageError } from '../errors.ts';
import { printOne, printSentences } from '../output.ts';
import { pause } from '../pause.ts';
import { printTarget } from '../perform.ts';
import { escapeText } from '../text.ts';

const POLL_MS = 500;

export const drill: readonly CommandSpec[] = [
  {
    name: '',
    args: '<endpointId>',
    summary: 'test a receiver against duplicates, reordering, forgeries and stale messages',
    example: 'drill whe_...',
    about:
      'The command fails if the receiver fails a step. It prints one line per step, with advice; --json prints all details.\nCtrl-C ends the waiting, not the drill: `slipway drills` shows it later.',
    async run(call) {
      const { io, args, form } = call;
      const session = await call.session();
      const at = { organisationId: (await session.organisation()).id, appId: (await session.app()).id };
      await printTarget(call, session, true);
      let drill: DrillDetail = await session.api.createDrill({ ...at, endpointId: args.endpointId ?? '' });
      let reportedCount = -1;
      while (drill.status === 'running') {
        await pause(POLL_MS, io.interrupted);
        drill = await session.api.getDrill({ ...at, drillId: drill.id });
        if (drill.progress.done !== reportedCount)
          io.err(`${drill.progress.done} of ${drill.progress.total} steps done\n`);
        reportedCount = drill.progress.done;
      }
      await printSentences(io, drill.steps, ['name', 'expects', 'verdict', 'fix'], form);
      if (drill.status === 'stopped')
        throw new CommandError(`the drill was stopped: ${escapeText(drill.reason ?? 'no reason given')}.`);
      const result = resultOf(drill.summary);
      if (drill.summary.failed > 0) throw new CommandError(`the receiver failed the drill: ${result}.`);
      io.err(`The receiver passed the drill: ${result}.\n`);
    },
  },
];

/** Returns `7 steps passed, 4 failed, 1 not sent`. */
function resultOf({ passed, failed, unseen, notSent }: DrillDetail['summary']): string {
  const counts = [
    [failed, 'failed'],
    [unseen, 'without a visible effect'],
    [notSent, 'not sent'],
  ] as const;
  const counted = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return [`${passed} ${passed === 1 ? 'step' : 'steps'} passed`, ...counted].join(', ');
}

export const drills: readonly CommandSpec[] = [
  {
    name: 'list',
    args: '<endpointId>',
    operation: 'listDrills',
    summary: 'list the drills of an endpoint, newest first',
    example: 'drills list whe_...',
    columns: ['id', 'createdAt', 'status', 'summary.passed', 'summary.failed', 'reason', 'createdBy'],
  },
  {
    name: 'show',
    args: '<drillId>',
    operation: 'getDrill',
    summary: 'show a drill with each step',
    example: 'drills show drl_...',
  },
];

export const verify: readonly CommandSpec[] = [
  {
    name: '',
    args: '<endpointId>',
    summary: 'diagnose why a message does not verify',
    example: 'verify whe_... --body-file body.json --header "webhook-id: evt_..." --header "webhook-signature: v1,..."',
    about:
      'Pass the body byte for byte as your code received it, and the headers. The command fails if the message does not verify.',
    options: [
      { ...required('--body-file <file>', 'file with the body; - reads standard input'), field: 'bodyBase64' },
      {
        ...required('--header <name: value>', 'a header; repeat the option for each header', (text, before) => [
          ...list('', before).filter(Boolean),
          text,
        ]),
        field: 'headers',
      },
      option('--received-at <time>', 'time of receipt by your clock', timestamp),
      option('--computed-signature <text>', 'signature that your code computed'),
    ],
    async run(call) {
      const { io, args, options, form } = call;
      const session = await call.session();
      const at = { organisationId: (await session.organisation()).id, appId: (await session.app()).id };
      const { bodyFile, header, receivedAt, computedSignature } = options as {
        bodyFile: string;
        header: string[];
        receivedAt?: string;
        computedSignature?: string;
      }; // as the options parse them
      const bytes = bodyFile === '-' ? await io.readAll() : readBytes(bodyFile);
      const diagnosis = await session.api.diagnoseSignature({
        ...at,
        endpointId: args.endpointId ?? '',
        body: {
          bodyBase64: bytes.toString('base64'),
          headers: Object.fromEntries(header.map(splitHeader)),
          ...(receivedAt !== undefined && { receivedAt }),
          ...(computedSignature !== undefined && { computedSignature }),
        },
      });
      printOne(io, diagnosis, form);
      if (!diagnosis.verifies) throw new CommandError('the message does not verify.');
    },
  },
];

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`${escapeText(file)} cannot be read (${error instanceof Error ? error.message : error}).`);
  }
}

function splitHeader(text: string): [string, string] {
  const at = text.indexOf(':');
  if (at < 1) throw new UsageError(`--header must have the form "name: value", not ${escapeText(text)}.`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
