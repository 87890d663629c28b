// Applies a file that describes an app, or shows what the file would change.
import { type ReadAppFile, readAppFile, UnknownNameError } from '../app-file.ts';
import type { Change } from '../app-plan.ts';
import { applyPlan, type ChangeRow, planFile, rowOf } from '../apply-file.ts';
import { type CommandSpec, type Invocation, option, required } from '../command.ts';
import { CommandError, EXIT } from '../errors.ts';
import { createStream, printList } from '../output.ts';
import { confirm } from '../perform.ts';
import { readContract, schemasUnder } from '../served-contract.ts';
import { escapeText } from '../text.ts';

const FILE = required('-f, --file <file>', 'file that describes the app, such as app.yaml');
const PRUNE = option('--prune', 'also remove keys, endpoints and fault rules that the file does not name');
const COLUMNS = ['action', 'kind', 'name', 'changes'];

const ABOUT = [
  'The file can have the parts app, world, keys, endpoints and faults. A part that is missing is not changed, even with',
  '--prune. The Console serves the JSON Schema of the file at /docs/app-file.schema.json.',
].join('\n');

/** Reads the file. A name that the default contract lacks is looked up in the contract that the server serves. */
async function readFile(call: Invocation): Promise<ReadAppFile> {
  const name = String(call.options.file);
  try {
    return readAppFile(name);
  } catch (error) {
    if (!(error instanceof UnknownNameError)) throw error;
    const { lookup, organisation } = await call.session().catch(() => Promise.reject(error));
    const served = await readContract(lookup, (await organisation()).id);
    return readAppFile(name, schemasUnder(served));
  }
}

async function planOf(call: Invocation) {
  const file = await readFile(call);
  const session = await call.session();
  const plan = await planFile(session, file, call.common.app, { isPruning: call.options.prune === true });
  const organisation = escapeText((await session.organisation()).name);
  call.io.err(`sandbox / ${organisation} / ${escapeText(nameOf(plan, call.common.app ?? file.content.app))}\n`);
  return { file, plan };
}

const nameOf = ({ context }: { context: { appId: string } }, name: string | undefined): string =>
  context.appId === '' ? `${name} (new)` : name === undefined ? context.appId : `${name} (${context.appId})`;

const printPlan = (call: Invocation, changes: readonly Change[]): Promise<void> =>
  printList(call.io, changes.map(rowOf), COLUMNS, call.form, 'No changes.');

export const apply: readonly CommandSpec[] = [
  {
    name: '',
    summary: 'create or change an app as a file describes it; a second run changes nothing',
    example: 'apply -f app.yaml',
    about: `Prints each change, and the secrets of new keys and endpoints once.\n${ABOUT}`,
    options: [
      FILE,
      PRUNE,
      option('--dry-run', 'print the changes without making them'),
      option('-y, --yes', 'skip the confirmation'),
    ],
    isSandboxOnly: true,
    async run(call) {
      const { file, plan } = await planOf(call);
      const { changes } = plan;
      if (call.common.isDryRun || changes.length === 0) return printPlan(call, changes);
      const warnings = changes.flatMap(({ warning }) => warning ?? []);
      if (warnings.length > 0) await confirm(call, `This ${escapeText(warnings.join(', and '))}. Continue?`);
      const print = createStream(call.io, [...COLUMNS, 'id', 'secret'], call.form);
      await applyPlan(plan, file, (row: ChangeRow) => print([row]));
    },
  },
];

export const diff: readonly CommandSpec[] = [
  {
    name: '',
    summary: `show what \`slipway apply\` would change; exit code ${EXIT.differs} if there are changes`,
    example: 'diff -f app.yaml',
    about: ABOUT,
    options: [FILE, PRUNE],
    isSandboxOnly: true,
    omits: ['--dry-run'],
    async run(call) {
      const { changes } = (await planOf(call)).plan;
      await printPlan(call, changes);
      if (changes.length > 0)
        throw new CommandError(`${changes.length === 1 ? 'one change' : `${changes.length} changes`}.`, EXIT.differs);
    },
  },
];
