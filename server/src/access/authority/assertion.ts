// How the Console's server tells a plane who asks: a signed, short-lived assertion of person, organisation and role. The
// Console holds none of the plane's own secrets; the plane knows no passwords and no sessions.
import { jwtVerify, SignJWT } from 'jose';
import type { Secret } from '../../kit/crypto/secret.ts';
import { ACTOR_KINDS, type ActorKind } from '../audit/index.ts';
import type { Environment } from './key-token.ts';
import { ROLES, type Role } from './roles.ts';

/** Who manages: a person or a token of theirs, in one organisation, in one role. */
export interface Actor {
  kind: ActorKind;
  personId: string;
  /** Of the token, where one acts for them. */
  tokenId?: string | undefined;
  /** As the audit log names them: their e-mail address. */
  name: string;
  organisationId: string;
  role: Role;
  /** From where they do it, as the Console's server saw it. */
  address: string | null;
  /** Whether it is a person who confirmed their second factor in the last minutes, in the session that they ask by. */
  hasFreshFactor?: boolean | undefined;
}

const LIFETIME = '30s';
// Of another audience than a person's: neither is ever taken for the other.
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

/** The actor of a valid assertion, or undefined for any other text. */
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

/** That the Console's own process asks, in nobody's name. */
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
