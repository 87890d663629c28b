// The traces of a process with an exporter. Tracing starts before everything else of a role and ends last in a
// shutdown, so the spans that end during the shutdown are exported.
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../access/authority/index.ts';
import type { Config } from '../config/config.ts';
import { newUuid } from '../kit/crypto/ids.ts';
import type { Log } from '../kit/telemetry/log.ts';
import { setTracer } from '../kit/telemetry/trace.ts';
import type { Lifetime } from './process.ts';

/** Milliseconds that a shutdown waits for an exporter that does not respond. */
const FLUSH_WITHIN_MS = 2_000;

export async function startTracing(
  { role, environment }: { role: 'all' | 'api' | 'worker' | 'console'; environment: Environment },
  config: Config,
  log: Log,
  lifetime: Lifetime,
): Promise<void> {
  if (!config.tracing) return;
  const { openTracer } = await import('../kit/telemetry/otel.ts');
  const { tracer, close } = await openTracer({
    ...config.tracing,
    scope: 'slipway',
    attributes: {
      'service.name': role === 'all' ? 'slipway' : `slipway-${role}`,
      'service.instance.id': newUuid(),
      ...(role !== 'console' && { 'deployment.environment.name': environment }),
    },
    onExportFailure: (sentence) =>
      log.info('traces.export_failed: Traces could not be exported.', { reason: sentence }),
  });
  lifetime.onStop(() => Promise.race([close().catch(() => {}), pause(FLUSH_WITHIN_MS, undefined, { ref: false })]));
  setTracer(tracer);
}
