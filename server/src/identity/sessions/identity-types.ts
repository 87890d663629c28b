// Types through which the rest of the Console reads people: their identity, their means of signing in, and their sessions.

import type { Secret } from '../../kit/crypto/secret.ts';
import type { Queryable } from '../../kit/db/db.ts';
import type { Visitor } from './identity-library.ts';
import type { SecondFactor } from './identity-second-factor.ts';

export interface Person {
  id: string;
  email: string;
  name: string;
}

export interface SignedIn {
  /** Set-Cookie headers. */
  cookies: string[];
  /** They open no session yet, but ask for the second factor. */
  needsSecondFactor: boolean;
}

export interface OwnSession {
  id: string;
  createdAt: Date;
  usedAt: Date;
  expiresAt: Date;
  address: string;
  userAgent: string;
  isCurrent: boolean;
}

export interface Identity {
  /** The person of a valid session. Throws `email_not_verified`: such a person can do nothing. */
  person(visitor: Visitor): Promise<Person | undefined>;
  /** Returns true if the session that admitted this request is still open, as the transaction sees it. */
  isLive(tx: Queryable, visitor: Visitor): Promise<boolean>;
  /** Undefined when the pair does not match. Throws `rate_limited` after too many tries. */
  signIn(email: string, password: string, visitor: Visitor): Promise<SignedIn | undefined>;
  /** Undefined when the link was used, has expired or is void. Voids the person's other links. */
  redeemLink(token: string, visitor: Visitor): Promise<SignedIn | undefined>;
  /**
   * For a person who was authenticated in another way. `isAuthenticated` repeats the check, so that a session is refused if the person ended
   * all access after the first check. Returns undefined if the session is refused.
   */
  openSession(person: Person, visitor: Visitor, isAuthenticated: () => Promise<boolean>): Promise<SignedIn | undefined>;
  /** Set-Cookie headers that end the session. */
  signOut(visitor: Visitor): Promise<string[]>;
  listSessions(person: Person, visitor: Visitor): Promise<OwnSession[]>;
  /** False when the person has no such session. */
  endSession(person: Person, sessionId: string): Promise<boolean>;
  /** Ends all sessions and begun sign-ins when the transaction commits. */
  endSessions(tx: Queryable, person: Person): Promise<void>;
  hasPassword(person: Person): Promise<boolean>;
  /** Returns true if `password` is the password of the person. The attempt counts like a sign-in; throws `rate_limited` during a delay. */
  verifyPassword(person: Person, password: string, visitor: Visitor): Promise<boolean>;
  /** Records the network of the visitor as known, after the person was authenticated by other means than a password. */
  keepPlace(person: Person, visitor: Visitor): Promise<void>;
  /** Returns true if this session was opened within the last minutes, by a person who was authenticated then. */
  hasJustSignedIn(visitor: Visitor): Promise<boolean>;
  /**
   * Sets the password of the session's person, and ends their other sessions and the sign-ins that they began. Set-Cookie headers of the one that goes on, or
   * undefined when there is a password already and `current` is not it. Throws `rate_limited` after too many tries.
   */
  setPassword(
    person: Person,
    visitor: Visitor,
    password: string,
    current: string | undefined,
  ): Promise<string[] | undefined>;
  /** Returns the hash of a new password. Slow on purpose, so not for an open transaction. */
  hashPassword(password: string): Promise<Secret>;
  /** For a person who has proved that the address is theirs: sets the password, and ends all sessions when the transaction commits. */
  resetPassword(tx: Queryable, person: Person, hash: Secret): Promise<void>;
  findPerson(email: string): Promise<Person | undefined>;
  ensurePerson(email: string, name: string): Promise<Person>;
  /** A person whose address is proved. Undefined when there is one with this address already. */
  createPerson(email: string, name: string, password: string | undefined): Promise<Person | undefined>;
  /** The token of a new one-time sign-in link, which voids the person's earlier ones. */
  issueLink(person: Person): Promise<Secret>;
  secondFactor: SecondFactor;
}
