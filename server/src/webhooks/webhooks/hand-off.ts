// The port through which a mutation hands a new delivery to the dispatcher of its process (docs/decisions/0101). The
// mutation writes the queue row as a claim would: in flight with the id of the worker. So the delivery needs no claim.

/** A delivery that the mutation will write, with the facts that its transaction has read. */
export interface OfferedDelivery {
  app_id: string;
  delivery_id: string;
  endpoint_id: string;
  event_id: string;
  key_id: string;
  server_id: string | null;
  trigger: string;
  schema_version: number;
  /** The app's count of stops at which the delivery was judged. */
  epoch: number;
  /** The time for which the key is valid, from the statement that judged the delivery. */
  key_life_ms: number;
  /** The version of the endpoint's row. */
  endpoint_version: string;
}

/** A slot for the attempt of one delivery. The mutation calls `begin` or `release`, once. */
export interface Reservation {
  readonly workerId: string;
  /** Begins the attempt. The delivery is committed, and `body` are the stored bytes of its event. */
  begin(body: string): void;
  /** Gives the slot back. The worker recovers the delivery if it was committed nevertheless. */
  release(): void;
}

/** Reserves a slot for the attempt. Returns undefined if a claim must take the delivery. */
type Reserve = (delivery: OfferedDelivery) => Reservation | undefined;

export interface HandOff {
  /**
   * Returns undefined if the dispatcher takes no delivery now. Call it before the delivery is judged: slots are reserved
   * only under the worker's current registration. A worker that registers later may have missed a revocation.
   */
  open(): Reserve | undefined;
}
