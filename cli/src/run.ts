// Runs one command line: loads only the family that it names, and returns an exit code.
import { Command, CommanderError } from 'commander';
import { type CommandSpec, type Invocation, isOperationCommand, namesOf, optionalArguments } from './command.ts';
import { COMMAND_GROUPS } from './command-groups.ts';
import type { Settings } from './config.ts';
import { EXIT, EXIT_CODE_NOTE, EXIT_CODES, type Peer } from './errors.ts';
import { withHint } from './hints.ts';
import type { Io } from './io.ts';
import { escapeTextLines } from './text.ts';
import { VERSION } from './version.ts';

const ABOUT = `Without a terminal, or with --json, results are JSON, one object per line.
More: slipway help COMMAND, slipway help exit-codes, slipway docs`;

/** Resolves with the exit code after all output is written. */
export async function run(words: readonly string[], given: Io, settings: Settings): Promise<number> {
  // Escapes control characters in all messages on stderr, also in texts that no caller escaped.
  const io: Io = { ...given, err: (text) => given.err(escapeTextLines(text)) };
  let peer: Peer | undefined;
  let typed: CommandSpec | undefined;
  const expect = (other: Peer): void => {
    peer = other;
  };
  try {
    if (words[0] === 'complete') {
      await (await import('./complete.ts')).complete(words.slice(2), io, settings);
      return 0;
    }
    const program = await assemble(words, io, settings, (spec, args, options) => {
      typed = spec;
      return perform(spec, makeCall(io, settings, spec, args, options, expect));
    });
    if (words.length === 0) program.outputHelp();
    else await program.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    if (io.interrupted.aborted) return EXIT.interrupted;
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
    const { toExit } = await import('./exit.ts');
    const { code, lines } = toExit(error, peer, typed);
    for (const [at, line] of lines.entries()) io.err(at === 0 ? `slipway: ${line}\n` : `${line}\n`);
    return code;
  }
}

/** One word, or all words of an argument such as `<command...>`. */
type TypedArgument = string | string[] | undefined;

type Perform = (spec: CommandSpec, args: readonly TypedArgument[], options: Record<string, unknown>) => Promise<void>;

async function assemble(words: readonly string[], io: Io, settings: Settings, onCommand: Perform): Promise<Command> {
  const prepare = (command: Command): Command =>
    command
      .exitOverride()
      .configureOutput({
        writeOut: io.out,
        writeErr: io.err,
        outputError: (text, write) => write(withHint(text.replace(/^error: /, 'slipway: '), command, words)),
      })
      .showHelpAfterError('Try --help.');
  const program = prepare(new Command('slipway'))
    .description('Manage Slipway from the terminal.')
    .version(VERSION, '-V, --version')
    .helpCommand(false)
    .addHelpText('after', `\n${ABOUT}`);
  const [first, second] = words.filter((word) => !word.startsWith('-'));
  const wanted = first === 'help' ? second : first;
  const isHelp = first === 'help' || words.includes('--help') || words.includes('-h');
  for (const family of COMMAND_GROUPS) {
    const command = prepare(program.command(family.name)).description(family.summary).helpCommand(false);
    if (family.name !== wanted) continue;
    const { optionsOf, requireAll, usageOf } = await import('./options.ts');
    const specs = await family.load();
    command.configureHelp({ subcommandTerm: (sub) => termOf(sub.name(), specs) });
    for (const spec of specs) {
      const leaf = spec.name === '' ? command : prepare(command.command(spec.name)).description(spec.summary);
      for (const one of optionsOf(spec)) leaf.addOption(one);
      leaf.usage(usageOf(spec));
      if (spec.args) leaf.arguments(optionalArguments(spec.args));
      const described = isHelp ? await spec.describe?.(words, settings) : undefined;
      leaf.addHelpText(
        'after',
        `\n${[`Example: slipway ${spec.example}`, spec.about, described].filter(Boolean).join('\n\n')}`,
      );
      const count = namesOf(spec.args).length;
      leaf.action((...values: unknown[]) => {
        // Order of commander: the arguments, then the options.
        const [args, options] = [values.slice(0, count) as TypedArgument[], values[count] as Record<string, unknown>];
        requireAll(spec, options, args);
        return onCommand(spec, args, options);
      });
    }
  }
  prepare(program.command('help'))
    .argument('[topic...]')
    .description('show help for a command, or the exit codes')
    .action((topic: string[]) => {
      if (topic[0] === 'exit-codes')
        return io.out([...EXIT_CODES.map(([code, text]) => `${code}\t${text}`), EXIT_CODE_NOTE, ''].join('\n'));
      const step = (at: Command, name: string) => at.commands.find((one) => one.name() === name);
      let found = program;
      for (const name of topic) {
        const next = step(found, name);
        if (!next) return found.error(`error: unknown command '${name}'`);
        found = next;
      }
      return found.outputHelp();
    });
  return program;
}

/** Returns the line of a command in the help of its family. */
const termOf = (name: string, specs: readonly CommandSpec[]): string =>
  [name, specs.find((spec) => spec.name === name)?.args, '[options]'].filter(Boolean).join(' ');

async function perform(spec: CommandSpec, call: Invocation): Promise<void> {
  const work = isOperationCommand(spec)
    ? import('./perform.ts').then((module) => module.perform(spec, call))
    : spec.run(call);
  const endsItself = !isOperationCommand(spec) && spec.handlesInterrupt === true;
  await (endsItself ? work : Promise.race([work, rejection(call.io.interrupted)]));
}

const rejection = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

function makeCall(
  io: Io,
  settings: Settings,
  spec: CommandSpec,
  args: readonly TypedArgument[],
  options: Record<string, unknown>,
  expect: Invocation['expect'],
): Invocation {
  const textOf = (name: string): string | undefined => (typeof options[name] === 'string' ? options[name] : undefined);
  const environment = options.environment === 'production' ? 'production' : 'sandbox';
  const common = {
    profile: textOf('profile'),
    app: textOf('app'),
    environment,
    isDryRun: options.dryRun === true,
  } as const;
  const fields = Array.isArray(options.json) ? options.json.map(String) : undefined;
  return {
    io,
    settings,
    common,
    options,
    form: { json: options.json === true ? [] : fields, hasColour: settings.hasColour && io.isTerminal },
    args: Object.fromEntries(
      namesOf(spec.args).flatMap((name, at) => {
        const typed = args[at];
        return typeof typed === 'string' ? [[name, typed]] : [];
      }),
    ),
    rest: args.flatMap((typed) => (Array.isArray(typed) ? typed : [])),
    async session() {
      const { consolePeer, openSession } = await import('./session.ts');
      const session = openSession(io, settings, common);
      expect(consolePeer(session.consoleUrl));
      return session;
    },
    expect,
  };
}
