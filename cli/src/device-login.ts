// Signs in with a device code: shows the code, which a signed-in member types into the Console, and polls until the
// member decides.
import { hostname } from 'node:os';
import { createManagement, type PolledDeviceSignIn } from '@slipway/sdk/management';
import { AuthenticationError, CommandError } from './errors.ts';
import type { Io } from './io.ts';
import { pause } from './pause.ts';
import { escapeText } from './text.ts';

const REFUSALS: Partial<Record<PolledDeviceSignIn['state'], string>> = {
  access_denied: 'the sign-in was refused in the Console.',
  expired_token: 'the code has expired. Run `slipway login` again.',
};

/** Resolves with an access token. Rejects if the member refuses or the code expires. */
export async function logInByCode(io: Io, consoleUrl: string, opensBrowser: boolean): Promise<string> {
  const api = createManagement({ baseUrl: consoleUrl });
  const device = `slipway on ${hostname()}`.slice(0, 100);
  const { deviceCode, userCode, intervalSeconds } = await api.startDeviceSignIn({ body: { device } });
  // Built from the configured address: an address from the response is never opened.
  const page = `${consoleUrl}/device`;
  io.err(`Your code:  ${escapeText(userCode)}\n\nType it into the Console:  ${page}\n`);
  if (opensBrowser) io.openBrowser(page);
  io.err('Waiting for your approval … (Ctrl-C cancels)\n');
  let seconds = requireValidInterval(intervalSeconds);
  for (;;) {
    await pause(seconds * 1000, io.interrupted);
    const polled = await api.pollDeviceSignIn({ body: { deviceCode } }, { signal: io.interrupted });
    if (polled.state === 'approved' && polled.token !== null) return polled.token;
    const refusal = REFUSALS[polled.state];
    if (refusal !== undefined) throw new AuthenticationError(refusal);
    seconds = requireValidInterval(polled.intervalSeconds);
  }
}

/**
 * Returns the polling interval if it is between 1 and 600 seconds. Otherwise throws, so that a faulty Console is not
 * polled without a pause.
 */
function requireValidInterval(seconds: number): number {
  if (seconds >= 1 && seconds <= 600) return seconds;
  throw new CommandError('the Console returned an invalid polling interval.');
}
