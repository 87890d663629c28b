// The health and metrics of a process, on a separate listener that starts first and stops last. Each role registers its
// parts when they open, and finally reports that it is ready.
import { setTimeout as pause } from 'node:timers/promises';
import { type Environment, findLeaseAge, findPlaneGate } from '../access/authority/index.ts';
import type { Config } from '../config/config.ts';
import type { RecorderMeasures } from '../inspector/requests/index.ts';
import type { Database, PoolUse } from '../kit/db/db.ts';
import type { BatchMeasures } from '../kit/flow/batcher.ts';
import { nowMs } from '../kit/flow/clock.ts';
import type { Log } from '../kit/telemetry/log.ts';
import { findMailAge } from '../platform/mail/index.ts';
import {
  checkDatabase,
  checkEventLoop,
  createJobMeter,
  createMonitoringListener,
  createReadiness,
  createRequestMeter,
  exposition,
  inSeconds,
  monitorEventLoop,
  type ReadinessCheck,
  type Readings,
  type RequestMeter,
  reportGate,
  reportJournalAge,
  reportLeaseAge,
  reportQueueAge,
} from '../platform/monitoring/index.ts';
import { findConsoleGate } from '../platform/restore-gate/index.ts';
import { findJournalAge } from '../platform/revocation-journal/index.ts';
import type { Gateway } from '../production/gateway/index.ts';
import { type Dispatcher, findQueueAge } from '../webhooks/dispatch/index.ts';
import type { JobReports } from './jobs.ts';
import type { OpenPlane } from './plane.ts';
import { isTakenPort, type Lifetime, type ListenerAddress, listen, requiredSchemaVersion } from './process.ts';

// Different roles on one machine have different ports. A second process of one role needs a configured port.
const PORTS = { all: 4010, api: 4011, worker: 4012, console: 4013 };
type MonitoredRole = keyof typeof PORTS;

export interface Monitoring {
  countRequests(listener: 'api' | 'management' | 'console'): RequestMeter['count'];
  /** Receives the failures of jobs. */
  jobReports: JobReports;
  watchPlane(open: OpenPlane): Promise<void>;
  watchDispatcher(dispatcher: Pick<Dispatcher, 'measures'>, db: Database): void;
  watchUpstream(measures: Gateway['measures']): void;
  watchConsole(db: Database, pools: () => Record<string, PoolUse>, sendsMail: boolean): Promise<void>;
  /**
   * Marks the process as ready, as long as its checks pass. A shutdown first reports that it is not ready. If others
   * send requests to the process, it then waits until they have noticed.
   */
  ready(is: { sentRequests: boolean }): void;
}

/** Returns the place of the monitoring listener if its port is configured. */
export function configuredMonitoringAddress({ monitoring: { host, port } }: Config): ListenerAddress[] {
  return typeof port === 'number' ? [monitoringAddressOf(host, port)] : [];
}

const monitoringAddressOf = (host: string, port: number): ListenerAddress => ({
  host,
  port,
  setting: 'SLIPWAY_MONITORING_PORT',
  hostSetting: 'SLIPWAY_MONITORING_HOST',
});

export async function startMonitoring(
  role: MonitoredRole,
  config: Config,
  log: Log,
  lifetime: Lifetime,
): Promise<Monitoring> {
  const { host, port = PORTS[role], stopDelayMs } = config.monitoring;
  const loop = monitorEventLoop();
  lifetime.onStop(async () => loop.stop());
  const jobs = createJobMeter();
  const sources: (() => Readings)[] = [
    processReadings,
    jobs.read,
    () => ({ slipway_event_loop_lag_seconds: [{ labels: {}, value: inSeconds(loop.lagMs()) }] }),
  ];
  const checks: ReadinessCheck[] = [checkEventLoop(loop)];
  let isReady = false;
  const readiness = createReadiness(checks, () =>
    lifetime.isStopping() ? 'stopping' : isReady ? 'started' : 'starting',
  );
  async function metrics(): Promise<string> {
    const { status, findings } = await readiness();
    const ready = { slipway_ready: [{ labels: {}, value: status === 'ready' ? 1 : 0 }] };
    return exposition([ready, ...findings.flatMap((one) => one.readings ?? []), ...sources.map((read) => read())]);
  }

  if (port !== 'off') {
    await listen(createMonitoringListener({ readiness, metrics }), monitoringAddressOf(host, port), lifetime).catch(
      (error) => {
        // A taken default port must not prevent a second worker from starting.
        if (config.monitoring.port !== undefined || !isTakenPort(error)) throw error;
        const fix = 'Set SLIPWAY_MONITORING_PORT to a free port.';
        log.info(
          `monitoring.port_taken: The monitoring listener did not start, because port ${port} on ${host} is taken. ${fix}`,
        );
      },
    );
  }

  return {
    countRequests(listener) {
      const meter = createRequestMeter(listener);
      sources.push(meter.read);
      return meter.count;
    },
    jobReports: { log, countJobFailure: jobs.count },
    async watchPlane(open) {
      sources.push(
        () => batchReadings('authority', open.measures().authority),
        () => batchReadings('records', open.measures().records.batches),
        () => recordReadings(open.measures().records),
        () => poolReadings(open.plane.environment, open.measures().pools),
      );
      const { environment, db } = open.plane;
      checks.push(checkDatabase(environment, db.authority, await requiredSchemaVersion('plane')));
      if (config.planes[environment].revocationJournal !== undefined)
        checks.push(reportJournalAge(environment, () => findJournalAge(open.worker)));
      checks.push(reportLeaseAge(environment, () => findLeaseAge(db.authority)));
      checks.push(reportGate(environment, async () => (await findPlaneGate(db.authority)) !== null));
    },
    watchDispatcher(dispatcher, db) {
      sources.push(() => dispatcherReadings(dispatcher));
      checks.push(reportQueueAge('webhooks', 'slipway_webhook_queue_age_seconds', () => findQueueAge(db)));
    },
    watchUpstream(measures) {
      sources.push(() => upstreamReadings(measures()));
    },
    async watchConsole(db, pools, sendsMail) {
      sources.push(() => poolReadings('console', pools()));
      checks.push(checkDatabase('console', db, await requiredSchemaVersion('console')));
      checks.push(reportGate('console', async () => (await findConsoleGate(db)) !== null));
      if (sendsMail) checks.push(reportQueueAge('mail', 'slipway_mail_queue_age_seconds', () => findMailAge(db)));
    },
    ready({ sentRequests }) {
      isReady = true;
      if (sentRequests && stopDelayMs > 0) lifetime.onStop(() => pause(stopDelayMs));
    },
  };
}

function processReadings(): Readings {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return {
    process_cpu_seconds_total: [{ labels: {}, value: (user + system) / 1e6 }],
    process_resident_memory_bytes: [{ labels: {}, value: rss }],
    process_start_time_seconds: [{ labels: {}, value: nowMs() / 1000 - process.uptime() }],
    nodejs_heap_size_used_bytes: [{ labels: {}, value: heapUsed }],
  };
}

function batchReadings(batch: 'authority' | 'records', measures: BatchMeasures): Readings {
  const labels = { batch };
  return {
    slipway_batch_size: [{ labels, value: measures.sizes }],
    slipway_batch_duration_seconds: [{ labels, value: inSeconds(measures.durationsMs) }],
    slipway_batches_in_flight: [{ labels, value: measures.inFlight }],
    slipway_batch_waiting: [{ labels, value: measures.waiting }],
  };
}

function poolReadings(database: Environment | 'console', pools: Record<string, PoolUse>): Readings {
  const each = Object.entries(pools).map(([pool, use]) => ({ labels: { database, pool }, use }));
  return {
    slipway_pool_connections: each.flatMap(({ labels, use }) => [
      { labels: { ...labels, state: 'in_use' }, value: use.inUse },
      { labels: { ...labels, state: 'idle' }, value: use.idle },
    ]),
    slipway_pool_max_connections: each.map(({ labels, use }) => ({ labels, value: use.max })),
    slipway_pool_waiting: each.map(({ labels, use }) => ({ labels, value: use.waiting })),
  };
}

function recordReadings(records: RecorderMeasures): Readings {
  return {
    slipway_record_wait_seconds: [{ labels: {}, value: inSeconds(records.waitMs) }],
    slipway_records_lost_total: [{ labels: {}, value: records.lost }],
  };
}

function dispatcherReadings(dispatcher: Pick<Dispatcher, 'measures'>): Readings {
  const { inFlight, attempts } = dispatcher.measures();
  return {
    slipway_webhook_attempts_in_flight: [{ labels: {}, value: inFlight }],
    slipway_webhook_attempt_duration_seconds: attempts.map(({ outcome, next, durationMs }) => ({
      labels: { outcome, next },
      value: inSeconds(durationMs),
    })),
  };
}

function upstreamReadings({ requests, failures, isBreakerOpen }: ReturnType<Gateway['measures']>): Readings {
  return {
    slipway_upstream_request_duration_seconds: requests.map(({ outcome, durationMs }) => ({
      labels: { outcome },
      value: inSeconds(durationMs),
    })),
    slipway_upstream_failures_total: failures.map(({ kind, count }) => ({ labels: { kind }, value: count })),
    slipway_upstream_breaker_open: [{ labels: {}, value: isBreakerOpen ? 1 : 0 }],
  };
}
