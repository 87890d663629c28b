// Commands for signed receipts of revocations: list, get, and verify offline.
import { readFileSync } from 'node:fs';
import { type CommandSpec, type Invocation, option, required } from '../command.ts';
import { CommandError, UsageError } from '../errors.ts';
import { printOne } from '../output.ts';
import { pause } from '../pause.ts';
import { verifyReceipt } from '../receipt.ts';
import { escapeJson, escapeText } from '../text.ts';

/** A receipt is signed some milliseconds after the answer of its revocation. */
const TRIES = 20;
const BETWEEN_TRIES_MS = 250;

export const receipts: readonly CommandSpec[] = [
  {
    name: 'list',
    operation: 'listRevocationReceipts',
    summary: 'list the receipts of revocations, newest first',
    example: 'receipts list',
    query: [option('--app-id <appId>', 'only receipts of this app')],
    columns: ['createdAt', 'id', 'keyIds', 'keys', 'serverIds', 'servers', 'signedAt'],
  },
  {
    name: 'get',
    args: '<receiptId>',
    summary: 'print a signed receipt as a JSON Web Signature',
    example: 'receipts get rct_... > receipt.jws',
    about: 'With --json the command prints the record of the receipt, whose keysUrl is the address of the public keys.',
    omits: ['--app'],
    async run({ io, args, form, session }: Invocation) {
      const { api, organisation } = await session();
      const at = { organisationId: (await organisation()).id, receiptId: args.receiptId ?? '' };
      for (let tries = 1; ; tries += 1) {
        const receipt = await api.getRevocationReceipt(at);
        if (form.json) return printOne(io, receipt, form);
        if (receipt.jws !== null) return io.out(`${receipt.jws}\n`);
        if (tries === TRIES)
          throw new CommandError('the receipt is not signed yet; it is signed after five minutes at the latest.');
        await pause(BETWEEN_TRIES_MS, io.interrupted);
      }
    },
  },
  {
    name: 'verify',
    args: '<file>',
    summary: 'verify a receipt offline, and print its content',
    example: 'receipts verify receipt.jws --key receipt-keys.json',
    about: 'The command opens no connection. The address of the public keys is <URL of the environment>/receipt-keys.',
    isAlone: true,
    options: [required('--key <file>', 'JSON Web Key Set of the environment, or a public key in PEM')],
    async run({ io, args, options }: Invocation) {
      const content = verifyReceipt(readFile(args.file ?? ''), readFile(String(options.key)).toString());
      io.out(`${escapeJson(content, 2)}\n`);
      io.err('The signature is valid.\n');
    },
  },
];

function readFile(name: string): Buffer {
  try {
    return readFileSync(name);
  } catch (error) {
    throw new UsageError(`${escapeText(name)} cannot be read (${error instanceof Error ? error.message : error}).`);
  }
}
