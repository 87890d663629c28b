// Runs a program of docs/start/quickstart.md in another language on a running Slipway, with the demo's key.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { blocks } from './getting-started.ts';
import { copyPreparedData } from './prepared-data.ts';
import { createInstance } from './slipway.ts';
import { readNote } from './visitor.ts';

/** Expects that the program lists servers, and that it fails without a key. `command` runs the file. */
export async function checkFirstCall(language: string, file: string, command: readonly string[]): Promise<void> {
  const instance = await createInstance(copyPreparedData);
  try {
    await instance.start().ready;
    const folder = join(instance.dataDir, 'first-call');
    mkdirSync(folder);
    const [code = ''] = blocks(`${language} ${file}`);
    writeFileSync(join(folder, file), code.replaceAll('http://localhost:4000', instance.apiUrl));
    const [program = '', ...args] = command;
    const run = (key: string) =>
      instance.spawn(program, [...args, join(folder, file)], {
        SLIPWAY_KEY: key,
        GOCACHE: join(folder, 'cache'),
        GOFLAGS: '-mod=mod',
      });
    const first = run(readNote(instance).key ?? '');
    expect([await first.exited, first.stderr()]).toEqual([0, '']);
    expect(first.stdout()).toMatch(/^srv_\w+ .+\n(srv_\w+ .+\n)+$/);
    expect(await run('slw_test_wrong').exited).not.toBe(0);
  } finally {
    await instance.remove();
  }
}
