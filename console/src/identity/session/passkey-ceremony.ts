// Asks the browser for passkeys (WebAuthn). The library is loaded with the first request.
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '../../kit/api.ts';
import { BrowserProblem } from '../../kit/problem-text.ts';

/** Asks an authenticator of the person to sign the challenge. */
export async function signChallenge(options: PasskeyRequestOptions): Promise<PasskeyAssertion> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const { id, response } = await startAuthentication({ optionsJSON: options }).catch(throwAsProblem(options.rpId));
  const { clientDataJSON, authenticatorData, signature } = response;
  return { id, clientDataJSON, authenticatorData, signature };
}

/** Asks an authenticator to create a passkey. */
export async function createCredential(options: PasskeyCreationOptions): Promise<PasskeyAttestation> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const { id, response } = await startRegistration({ optionsJSON: options }).catch(throwAsProblem(options.rp.id));
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { id, clientDataJSON, attestationObject, transports };
}

const throwAsProblem =
  (host: string) =>
  (error: unknown): never => {
    const name = error instanceof Error ? error.name : '';
    if (name === 'InvalidStateError')
      throw new BrowserProblem('Passkey exists', 'This device has a passkey of your account already. Use another one.');
    if (name === 'SecurityError' || window.location.hostname !== host)
      throw new BrowserProblem('Wrong address', `Passkeys work only at ${host}. Open the Console there.`);
    throw new BrowserProblem('No passkey used', 'The request was cancelled, or its time has passed. Try again.');
  };
