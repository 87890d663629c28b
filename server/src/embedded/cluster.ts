// Creates the cluster completely or not at all: initdb works in a folder next to it that is renamed on success.
import { spawn } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Binaries, pgVersion, program, programEnvironment } from './binaries.ts';
import type { ClusterLocation } from './cluster-location.ts';

export async function ensureCluster(binaries: Binaries, location: ClusterLocation, password: string): Promise<void> {
  const { clusterDir, owner } = location;
  if (existsSync(clusterDir)) {
    refuseOtherVersion(binaries, clusterDir);
    return;
  }
  // The name contains the process id, because the initdb of a killed Slipway may still be running.
  const unfinished = `${clusterDir}.new-${process.pid}`;
  const passwordFile = `${unfinished}-password`;
  mkdirSync(dirname(clusterDir), { recursive: true });
  removeUnfinished(clusterDir);
  try {
    mkdirSync(unfinished, { mode: 0o700 });
    writeFileSync(passwordFile, password, { mode: 0o600 });
    if (owner) {
      chownSync(unfinished, owner.uid, owner.gid);
      chownSync(passwordFile, owner.uid, owner.gid);
    }
    await initdb(binaries, location, unfinished, passwordFile);
    renameSync(unfinished, clusterDir);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function removeUnfinished(clusterDir: string): void {
  const parent = dirname(clusterDir);
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(`${basename(clusterDir)}.new-`)) continue;
    rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

function initdb(binaries: Binaries, { owner }: ClusterLocation, target: string, passwordFile: string): Promise<void> {
  const args = [
    `--pgdata=${target}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ];
  const file = program(binaries, 'initdb');
  const env = programEnvironment();
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: '/', windowsHide: true, ...owner, env });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', (cause) => reject(new Error(`Cannot run ${file}.`, { cause })));
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`initdb failed (${signal ?? code}):\n${Buffer.concat(output).toString().trim()}`));
    });
  });
}

function refuseOtherVersion(binaries: Binaries, clusterDir: string): void {
  const clusterVersion = readFileSync(join(clusterDir, 'PG_VERSION'), 'utf8').trim();
  const ownVersion = pgVersion(binaries).split('.')[0];
  if (clusterVersion === ownVersion) return;
  throw new Error(
    `The database in ${clusterDir} was created by Postgres ${clusterVersion}, but this Slipway contains Postgres ${ownVersion}.`,
  );
}
