// Facts of a request that Slipway's features add to those of the kit. The record of the request stores them.
declare module '../../kit/http/operation.ts' {
  interface Exchange {
    /** The uuid of the request that a person repeats. */
    replays?: string | undefined;
    /** The simulated fault, in the syntax of `Sandbox-Simulate`. Only the sandbox sets it. */
    simulated?: string | undefined;
  }
}

export {};
