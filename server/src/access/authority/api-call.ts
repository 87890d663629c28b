// A call of /v1 with a key of which only the id is known, made by a person.

/** A key in the hands of a person who may use it and does not know its secret. */
export interface KeyInUse {
  kid: string;
  keyId: string;
  appId: string;
  /** As the audit log names them. */
  person: string;
  /** The uuid of the access token that acts for them, when one does. */
  tokenId: string | undefined;
  /** The uuid of the request that they repeat, when it is one. */
  replays?: string;
}

/** A request of /v1 that a person makes. */
export interface ApiCall {
  key: KeyInUse;
  method: string;
  /** Path and query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
}

export interface ApiAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}
