// Counts the requests of a listener by operation and status, with their durations. A request costs two map lookups.
import { monotonicMs } from '../../kit/flow/clock.ts';
import type { Exchange } from '../../kit/http/operation.ts';
import { createHistogram, type Histogram } from '../../kit/telemetry/histogram.ts';
import { inSeconds, type Readings } from './metrics.ts';

export interface RequestMeter {
  count(exchange: Exchange, status: number): void;
  read(): Readings;
}

const BOUNDS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000];
/** Stands for a path without an operation. Identifiers of operations are in camel case. */
const NO_OPERATION = 'none';

type ByStatus = Map<number, Histogram>;

export function createRequestMeter(listener: 'api' | 'management' | 'console'): RequestMeter {
  const real = new Map<string, ByStatus>();
  const simulated = new Map<string, ByStatus>();

  function histogramOf(meters: Map<string, ByStatus>, operation: string, status: number): Histogram {
    let byStatus = meters.get(operation);
    if (!byStatus) {
      byStatus = new Map();
      meters.set(operation, byStatus);
    }
    let histogram = byStatus.get(status);
    if (!histogram) {
      histogram = createHistogram(BOUNDS_MS);
      byStatus.set(status, histogram);
    }
    return histogram;
  }

  const samplesOf = (meters: Map<string, ByStatus>, isSimulated: boolean) =>
    [...meters].flatMap(([operation, byStatus]) =>
      [...byStatus].map(([status, histogram]) => ({
        labels: { listener, operation, status: String(status), simulated: String(isSimulated) },
        value: inSeconds(histogram.read()),
      })),
    );

  return {
    count(exchange, status) {
      const meters = exchange.simulated === undefined ? real : simulated;
      const operation = exchange.operation?.id ?? NO_OPERATION;
      histogramOf(meters, operation, status).record(monotonicMs() - exchange.startedAtMs);
    },
    read: () => ({
      slipway_http_request_duration_seconds: [...samplesOf(real, false), ...samplesOf(simulated, true)],
    }),
  };
}
