// `slipway`, the developer's terminal: data on stdout, all else on stderr, on the SDK alone.
import { createSlipway, type SlipwayClient, SlipwayProblem } from '@slipway/sdk';
import { Command } from 'commander';

const EXIT = { failed: 1, authentication: 4 };
// The code that the SDK gives to an answer that is no problem of ours: a proxy's, or another server's.
const UNKNOWN = 'unknown';
const API_URL = process.env.SLIPWAY_API_URL || 'http://localhost:4000';

function client(): SlipwayClient {
  const key = process.env.SLIPWAY_KEY?.trim();
  if (!key || /[^!-~]/.test(key)) {
    const fault = key ? 'SLIPWAY_KEY holds characters that no key has; set it' : 'set SLIPWAY_KEY';
    console.error(`slipway: ${fault} to a key of your app (the Console generates one).`);
    process.exit(EXIT.authentication);
  }
  return createSlipway({ baseUrl: API_URL, key });
}

const print = (value: unknown): void => console.log(JSON.stringify(value, null, 2));

const program = new Command('slipway')
  .description('Works with a Slipway API from the terminal. Reads SLIPWAY_KEY and SLIPWAY_API_URL.')
  .showHelpAfterError();

program
  .command('me')
  .description('say which environment, app and key this is')
  .action(async () => print(await client().getMe()));

program
  .command('servers')
  .description('list the servers that have authorised the app, one JSON object a line')
  .action(async () => {
    for await (const server of client().listServers({ limit: 100 })) console.log(JSON.stringify(server));
  });

program
  .command('create-ticket')
  .description('create a ticket on a server')
  .argument('<serverId>')
  .requiredOption('--subject <text>', 'what it is about')
  .requiredOption('--body <text>', 'the whole text')
  .option('--idempotency-key <key>', 'makes a repeat safe')
  .action(async (serverId: string, options: { subject: string; body: string; idempotencyKey?: string }) => {
    const { idempotencyKey, ...body } = options;
    print(await client().createTicket({ serverId, body }, { idempotencyKey }));
  });

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof SlipwayProblem && error.code !== UNKNOWN) sayProblem(error);
  else sayNoAnswer(error);
}

function sayProblem(problem: SlipwayProblem): void {
  console.error(`slipway: ${problem.message}`);
  for (const part of problem.errors) console.error(`  ${part.pointer || '(body)'} ${part.detail}`);
  console.error(`  ${problem.type}`);
  process.exitCode = problem.status === 401 ? EXIT.authentication : EXIT.failed;
}

function sayNoAnswer(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  console.error(`slipway: no answer from an API at ${API_URL} (${reason}); SLIPWAY_API_URL says where it is.`);
  process.exitCode = EXIT.failed;
}
