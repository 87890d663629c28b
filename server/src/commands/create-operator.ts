// `slipway-server create-operator`: makes a new or existing person an operator, and prints a link that signs them in
// once.

import { resolveDatabases } from '../boot/databases.ts';
import { inspectSchema } from '../boot/process.ts';
import { ConfigError } from '../config/config.ts';
import { isEmail } from '../config/config-mail-and-oidc.ts';
import { findSecrets } from '../config/secrets.ts';
import { insertOperator, insertOperatorAction } from '../governance/operators/index.ts';
import { createIdentity, type Identity } from '../identity/sessions/index.ts';
import { newUuid } from '../kit/crypto/ids.ts';
import type { Database } from '../kit/db/db.ts';
import { withDatabase, withPool } from '../kit/db/short-lived-database.ts';
import { type Command, readArguments } from './command.ts';

export const CREATE_OPERATOR_USAGE =
  'slipway-server create-operator ada@example.org  make this person an operator; print a link for one sign-in';

export const createOperator: Command = async (args, { config, log, lifetime, print }) => {
  const { positionals } = readArguments(args, { usage: CREATE_OPERATOR_USAGE, count: 1 });
  const email = (positionals[0] ?? '').toLowerCase();
  if (!isEmail(email)) throw new ConfigError(`"${email}" is not an e-mail address.`);
  const { secrets, file } = await findSecrets(config);
  const { consoleSecret } = secrets;
  if (!consoleSecret) throw new ConfigError(`SLIPWAY_CONSOLE_SECRET is missing, and ${file} does not contain it.`);
  const { console: url } = await resolveDatabases(config, log, lifetime);
  if (url === undefined) throw new ConfigError('SLIPWAY_CONSOLE_DATABASE_URL is missing.');
  const { pending } = await inspectSchema('console', url, 'SLIPWAY_CONSOLE_DATABASE_URL');
  if (pending.length > 0)
    throw new ConfigError('The database of the Console is not up to date: run `slipway-server migrate`.');

  const token = await withDatabase({ url }, (db) =>
    withPool({ url }, async (pool) => {
      const { consoleUrl } = config;
      return addOperator(db, createIdentity({ pool, db, consoleUrl, secret: consoleSecret }), email);
    }),
  );
  print(`${config.consoleUrl}/sign-in#link=${token.reveal()}`);
  return true;
};

async function addOperator(db: Database, identity: Identity, email: string) {
  const person = await identity.ensurePerson(email, email.replace(/@.*$/, ''));
  await db.transaction(async (tx) => {
    await insertOperator(tx, person.id);
    // The actor is the command itself, because no person has signed in here.
    const entry = { operator: 'slipway-server create-operator', action: 'operator.create', target: person.id };
    await insertOperatorAction(tx, { actionId: newUuid(), ...entry, detail: { email } });
  });
  return identity.issueLink(person);
}
