// Determines the operating-system user that runs Postgres, and the files that this user can reach. Postgres refuses to
// run as root, so a Slipway that runs as root starts it as an unprivileged user.
import { readFileSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

export type PostgresUser = { uid: number; gid: number };

/** Returns undefined unless this process runs as root: Postgres then runs as the same user. */
export function findPostgresUser(existingClusterDir: string | undefined): PostgresUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (existingClusterDir) {
    const { uid, gid } = statSync(existingClusterDir);
    if (uid !== 0) return { uid, gid };
  }
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ name, uid, gid }) => name && Number.isInteger(uid) && Number.isInteger(gid) && uid !== 0);
  // initdb looks up its user, so the user must have an entry in /etc/passwd.
  const user = users.find(({ name }) => name === 'nobody') ?? users[0];
  if (!user) throw new Error('Postgres refuses to run as root, and /etc/passwd names no other user to run it as.');
  return { uid: user.uid, gid: user.gid };
}

const readable = 0o4;
const traversable = 0o1;

export function isTraversable(owner: PostgresUser, path: string): boolean {
  return allows(statSync(path), owner, traversable);
}

/** Returns whether the user can traverse every folder from the root to `dir`. `dir` is a real path, without links. */
export function canReach(owner: PostgresUser, dir: string): boolean {
  for (let at = dir; ; at = dirname(at)) {
    if (!isTraversable(owner, at)) return false;
    if (dirname(at) === at) return true;
  }
}

export function canRun(owner: PostgresUser, file: string): boolean {
  return canReach(owner, dirname(file)) && allows(statSync(file), owner, readable | traversable);
}

function allows(file: Stats, owner: PostgresUser, bits: number): boolean {
  const shift = file.uid === owner.uid ? 6 : file.gid === owner.gid ? 3 : 0;
  return (file.mode & (bits << shift)) === bits << shift;
}
