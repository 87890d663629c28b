// The verification in a shell of docs/webhooks/receiving.md, which requires openssl.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSigningSecret, sign } from '../src/kit/crypto/standard-webhooks.ts';
import { exampleIn } from './guide-examples.ts';

test('the shell computes the signature of a delivery over its raw bytes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-shell-'));
  try {
    const secret = createSigningSecret();
    const body = '{"data":{"subject":"Grüße 👋"}}\n';
    writeFileSync(join(folder, 'body.bin'), body);
    const env = {
      PATH: process.env.PATH ?? '',
      SECRET: secret.reveal(),
      WEBHOOK_ID: 'evt_1',
      WEBHOOK_TIMESTAMP: '1793614530',
    };
    const printed = execFileSync('sh', ['-euc', exampleIn('sh verify.sh')], { cwd: folder, env, encoding: 'utf8' });
    expect(printed.trim()).toBe(sign([secret], 'evt_1', 1_793_614_530, body));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
