// Facts of a request that Slipway's features add to those of the kit; the record of the request holds them.
declare module '../../kit/http/operation.ts' {
  interface Exchange {
    /** The uuid of the request that a person repeats by it. */
    replays?: string | undefined;
    /** The simulated fault, in the words of `Sandbox-Simulate`. Only the sandbox sets it. */
    simulated?: string | undefined;
  }
}

export {};
