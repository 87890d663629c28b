// A process for the tests: runs an embedded Postgres until it is killed or its input ends.
import { startEmbeddedPostgres } from './index.ts';

const dataDir = process.argv[2] ?? '';
try {
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
  console.log(postgres.connection('postgres', postgres.superuserPassword, 'postgres'));
  process.stdin.resume();
  process.stdin.once('end', () => void postgres.stop());
} catch (error) {
  console.log((error as Error).message);
}
