// The demo: an organisation that is created once, and a receiver that runs in this process.
import type { Config } from '../config/config.ts';
import { type NewDemo, seedDemo } from '../governance/first-run/index.ts';
import type { Secret } from '../kit/crypto/secret.ts';
import type { Log } from '../kit/telemetry/log.ts';
import { startDemoReceiver } from '../sandbox/demo/index.ts';
import { listSigningSecrets } from '../webhooks/webhooks/index.ts';
import type { ConsoleRuntime, FirstOwner } from './console-runtime.ts';
import { withConfigErrors } from './databases.ts';
import type { OpenPlane } from './plane.ts';
import type { Lifetime } from './process.ts';

/**
 * Returns the addresses of the demo receiver, which webhooks must be allowed to reach. The endpoint of the demo has the
 * IP address, and people see the name.
 */
export const receiverHosts = ({ ports }: Config): string[] =>
  ['127.0.0.1', 'localhost'].map((host) => `${host}:${ports.demoReceiver}`);

export async function startDemo(
  open: OpenPlane,
  home: ConsoleRuntime,
  owner: FirstOwner,
  config: Config,
  log: Log,
  lifetime: Lifetime,
): Promise<{ receiverUrl: string; fresh: NewDemo | undefined }> {
  const port = config.ports.demoReceiver;
  const hookUrls = receiverHosts(config).map((host) => `http://${host}/hooks`);
  const { fresh } = await seedDemo(home.db, open.plane, owner.person, `http://127.0.0.1:${port}/hooks`);
  const secrets = (): Promise<Secret[]> => listSigningSecrets(open.worker, hookUrls, open.plane.secrets.masterKeys);
  const receiver = await withConfigErrors(
    startDemoReceiver({
      host: '127.0.0.1',
      port,
      secrets,
      log: (line) => log.info('The demo receiver received a webhook.', line),
    }),
  );
  lifetime.onStop(() => receiver.close());
  return { receiverUrl: `http://localhost:${port}`, fresh };
}
