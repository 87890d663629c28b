// The part of autocannon that the benchmarks use. The package contains no types.
declare module 'autocannon' {
  namespace autocannon {
    interface Request {
      method: 'GET' | 'POST';
      path: string;
      headers: Record<string, string>;
      body?: string;
      setupRequest?(request: Request): Request;
    }
  }
  interface Client {
    setRequests(requests: autocannon.Request[]): void;
  }
  interface Options {
    url: string;
    connections: number;
    /** Seconds. */
    duration: number;
    /** Requests per second over all connections. */
    overallRate?: number;
    headers?: Record<string, string>;
    setupClient?(client: Client): void;
  }
  interface Result {
    requests: { total: number };
    '2xx': number;
    /** Milliseconds. */
    latency: { p50: number; p99: number };
    /** Seconds. */
    duration: number;
    non2xx: number;
    errors: number;
    timeouts: number;
  }
  function autocannon(options: Options): Promise<Result>;
  export default autocannon;
}
