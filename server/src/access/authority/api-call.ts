// A /v1 call by a person with a key of which only the id is known.

/** A key that a person may use without knowing its secret. */
export interface DelegatedKey {
  kid: string;
  keyId: string;
  appId: string;
  /** The person's name in the audit log. */
  person: string;
  /** The uuid of the access token that acts for the person, if any. */
  tokenId: string | undefined;
  /** The uuid of the request that the person repeats, if any. */
  repeatsRequestId?: string;
}

/** A /v1 request by a person. */
export interface ApiCall {
  key: DelegatedKey;
  method: string;
  /** The path with the query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
}

export interface ApiResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}
