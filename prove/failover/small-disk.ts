// A disk of one Postgres that can become full. With the rights of root it is a file system in memory, which shrinks to
// its content. Without them, the kernel refuses every write of the processes beyond the size 0 instead.
import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, statfsSync } from 'node:fs';
import type { PostgresUser } from '../../server/src/embedded/postgres-user.ts';
import { atEnd } from './children.ts';

const SIZE = '4g';

export interface SmallDisk {
  path: string;
  /** The means in words. */
  means: string;
  /** Makes the disk full. `pids` are the processes that write to it. */
  fill(pids: readonly number[]): void;
  free(pids: readonly number[]): void;
}

function mustRun(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${stderr}`);
}

export function makeSmallDisk(path: string, user: PostgresUser | undefined): SmallDisk {
  mkdirSync(path, { recursive: true, mode: 0o711 });
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=0711`, 'tmpfs', path]).status === 0;
  if (isMounted) atEnd(() => void spawnSync('umount', ['-l', path]));
  if (user) chownSync(path, user.uid, user.gid);
  if (isMounted) {
    const resize = (size: string): void => mustRun('mount', ['-o', `remount,size=${size}`, path]);
    return {
      path,
      means: 'a file system in memory that is full',
      fill() {
        for (let triesLeft = 10; ; triesLeft--) {
          const { blocks, bfree, bsize } = statfsSync(path);
          try {
            return resize(String((blocks - bfree) * bsize));
          } catch (error) {
            // Postgres has written more since.
            if (triesLeft === 0) throw error;
          }
        }
      },
      free: () => resize(SIZE),
    };
  }
  const limit = (pids: readonly number[], size: string): void => {
    for (const pid of pids) spawnSync('prlimit', ['--pid', String(pid), `--fsize=${size}`]); // some have ended
  };
  return {
    path,
    means: 'a limit on the size of files, because a small file system needs the rights of root',
    fill: (pids) => limit(pids, '0:'),
    free: (pids) => limit(pids, 'unlimited:'),
  };
}
