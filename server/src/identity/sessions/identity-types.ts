// Types through which the rest of the Console reads people: their identity, their means of signing in, and their
// sessions.

import type { Secret } from '../../kit/crypto/secret.ts';
import type { Queryable } from '../../kit/db/db.ts';
import type { Visitor } from './identity-library.ts';
import type { Passkeys } from './identity-passkeys.ts';
import type { SecondFactor } from './identity-second-factor.ts';
import type { SecondFactorMethod } from './second-factor-store.ts';

export interface Person {
  id: string;
  email: string;
  name: string;
}

export interface SignInResult {
  /** The Set-Cookie headers. */
  cookies: string[];
  /** True if the cookies open no session yet and the second factor is required. */
  needsSecondFactor: boolean;
  /** The means that the person has; empty unless the second factor is required. */
  methods: SecondFactorMethod[];
}

export interface PersonSession {
  id: string;
  createdAt: Date;
  usedAt: Date;
  expiresAt: Date;
  address: string;
  userAgent: string;
  isCurrent: boolean;
}

export interface Identity {
  /**
   * Returns the person of a valid session. Throws `email_not_verified` for a person who has not verified the address,
   * who can do nothing.
   */
  person(visitor: Visitor): Promise<Person | undefined>;
  /** Returns true if the session that admitted this request is still open, as the transaction sees it. */
  isSessionOpen(tx: Queryable, visitor: Visitor): Promise<boolean>;
  /** Returns undefined for a wrong address or password. Throws `rate_limited` after too many attempts. */
  signIn(email: string, password: string, visitor: Visitor): Promise<SignInResult | undefined>;
  /**
   * Redeems a one-time link and voids the person's other links. Returns undefined if the link was used, has expired or
   * is void.
   */
  redeemLink(token: string, visitor: Visitor): Promise<SignInResult | undefined>;
  /**
   * Opens a session for a person who was authenticated in another way. `isAuthenticated` repeats the check, so that a
   * session is refused if the person ended all access after the first check. Returns undefined if the session is
   * refused.
   */
  openSession(
    person: Person,
    visitor: Visitor,
    isAuthenticated: () => Promise<boolean>,
  ): Promise<SignInResult | undefined>;
  /** Ends the session and returns the Set-Cookie headers that delete its cookie. */
  signOut(visitor: Visitor): Promise<string[]>;
  listSessions(person: Person, visitor: Visitor): Promise<PersonSession[]>;
  /** Ends one session. Returns false if the person has no such session. */
  endSession(person: Person, sessionId: string): Promise<boolean>;
  /** Ends all sessions and all sign-ins in progress when the transaction commits. */
  endSessions(tx: Queryable, person: Person): Promise<void>;
  /** Does the same, except for the session of the visitor. */
  endOtherSessions(tx: Queryable, person: Person, visitor: Visitor): Promise<void>;
  hasPassword(person: Person): Promise<boolean>;
  /**
   * Returns true if `password` is the password of the person. The attempt counts like a sign-in; throws `rate_limited`
   * during a delay.
   */
  verifyPassword(person: Person, password: string, visitor: Visitor): Promise<boolean>;
  /** Records the network of the visitor as known, after the person was authenticated by other means than a password. */
  recordKnownNetwork(person: Person, visitor: Visitor): Promise<void>;
  /** Returns true if this session was opened within the last ten minutes, by a person who was authenticated then. */
  hasJustSignedIn(visitor: Visitor): Promise<boolean>;
  /**
   * Sets the password of the session's person, and ends the person's other sessions and sign-ins in progress. Returns
   * the Set-Cookie headers of the session that continues, or undefined if the person has a password and `current`
   * differs from it. Throws `rate_limited` after too many attempts.
   */
  setPassword(
    person: Person,
    visitor: Visitor,
    password: string,
    current: string | undefined,
  ): Promise<string[] | undefined>;
  /** Returns the hash of a new password. The hash is slow on purpose: do not call it in an open transaction. */
  hashPassword(password: string): Promise<Secret>;
  /** Sets the password of a person who has proved the address, and ends all sessions when the transaction commits. */
  resetPassword(tx: Queryable, person: Person, hash: Secret): Promise<void>;
  findPerson(email: string): Promise<Person | undefined>;
  ensurePerson(email: string, name: string): Promise<Person>;
  /** Creates a person with a verified address. Returns undefined if the address already has an account. */
  createPerson(email: string, name: string, password: string | undefined): Promise<Person | undefined>;
  /** Returns the token of a new one-time sign-in link, which voids the person's earlier links. */
  issueLink(person: Person): Promise<Secret>;
  secondFactor: SecondFactor;
  passkeys: Passkeys;
}
