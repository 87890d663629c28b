// The Console's server authenticates a member to a plane with a signed assertion of person, organisation and role,
// valid for 30 seconds. The Console holds none of the plane's own secrets, and the plane knows no passwords and no
// sessions.
import { jwtVerify, SignJWT } from 'jose';
import type { Secret } from '../../kit/crypto/secret.ts';
import { ACTOR_KINDS, type ActorKind } from '../audit/index.ts';
import type { Environment } from './key-token.ts';
import { ROLES, type Role } from './roles.ts';

/**
 * The caller of a management operation: a person or an access token of the person, in one organisation and one role.
 */
export interface Actor {
  kind: ActorKind;
  personId: string;
  /** The uuid of the access token that acts for the person, if any. */
  tokenId?: string | undefined;
  /** The e-mail address, which the audit log records. */
  name: string;
  organisationId: string;
  role: Role;
  /** The client address that the Console's server observed. */
  address: string | null;
  /** True for a person who confirmed a second factor in the same session within the last minutes. */
  hasFreshFactor?: boolean | undefined;
}

const LIFETIME = '30s';
// A different audience from the assertions of persons, so that neither is accepted as the other.
const consoleAudienceOf = (environment: Environment): string => `slipway:${environment}:console`;
const audienceOf = (environment: Environment): string => `slipway:${environment}:management`;
const bytesOf = (key: Secret): Uint8Array => new TextEncoder().encode(key.reveal());

export function signAssertion(actor: Actor, environment: Environment, key: Secret): Promise<string> {
  const { kind, tokenId: token, name, organisationId: organisation, role, address, hasFreshFactor: fresh } = actor;
  return new SignJWT({ kind, token, name, organisation, role, address, fresh })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(actor.personId)
    .setAudience(audienceOf(environment))
    .setIssuedAt()
    .setExpirationTime(LIFETIME)
    .sign(bytesOf(key));
}

/** Returns the actor of a valid assertion, or undefined for any other text. */
export async function verifyAssertion(
  assertion: string,
  environment: Environment,
  key: Secret,
): Promise<Actor | undefined> {
  try {
    const { payload } = await jwtVerify(assertion, bytesOf(key), {
      algorithms: ['HS256'],
      audience: audienceOf(environment),
      requiredClaims: ['sub', 'exp', 'kind', 'name', 'organisation', 'role'],
    });
    const role = ROLES.find((known) => known === payload.role);
    const kind = ACTOR_KINDS.find((known) => known === payload.kind);
    if (!role || !kind || !payload.sub) return undefined;
    return {
      kind,
      personId: payload.sub,
      tokenId: typeof payload.token === 'string' ? payload.token : undefined,
      name: String(payload.name),
      organisationId: String(payload.organisation),
      role,
      address: typeof payload.address === 'string' ? payload.address : null,
      hasFreshFactor: payload.fresh === true,
    };
  } catch {
    return undefined;
  }
}

/** Signs an assertion of the Console's own process, which names no person. */
export function signConsoleAssertion(environment: Environment, key: Secret): Promise<string> {
  return new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(consoleAudienceOf(environment))
    .setIssuedAt()
    .setExpirationTime(LIFETIME)
    .sign(bytesOf(key));
}

export async function isConsoleAssertion(assertion: string, environment: Environment, key: Secret): Promise<boolean> {
  const options = { algorithms: ['HS256'], audience: consoleAudienceOf(environment), requiredClaims: ['exp'] };
  return jwtVerify(assertion, bytesOf(key), options).then(
    () => true,
    () => false,
  );
}
