// The faults of the proof. Each is a fault of the current primary or of its surroundings, and its repair.
import type { FailoverCluster } from './cluster.ts';
import type { Member } from './member.ts';

export interface Fault {
  /** The name for --only. */
  name: string;
  title: string;
  /** True if another member must become the primary. */
  isFailover: boolean;
  /** Milliseconds for which the fault continues; after a failover, from its end. */
  holdMs: number;
  /** The largest share of failed calls, if the service must continue. */
  maxFailedShare?: number;
  /**
   * Present if the previous primary continues beside the new one. Lets its Postgres continue; its Patroni continues with
   * the repair.
   */
  continuePrimary?(primary: Member): void;
  inject(cluster: FailoverCluster, primary: Member): Promise<void> | void;
  repair(cluster: FailoverCluster, primary: Member): Promise<void> | void;
}

/** Both primaries run for this time, or would do so if the previous one were not killed. */
const SPLIT_MS = 6_000;

function findStandby({ members }: FailoverCluster, primary: Member): Member {
  const standby = members.find((member) => member !== primary);
  if (!standby) throw new Error('The cluster has one member only.');
  return standby;
}

export const FAULTS: readonly Fault[] = [
  {
    name: 'crash',
    title: 'the primary Postgres is killed',
    isFailover: true,
    holdMs: 0,
    inject: (_, primary) => primary.signalPostgres('SIGKILL'),
    repair: () => {}, // its Patroni starts it as a standby
  },
  {
    name: 'kill',
    title: 'the primary Postgres and its Patroni are killed',
    isFailover: true,
    holdMs: SPLIT_MS,
    inject(_, primary) {
      primary.signalPatroni('SIGKILL');
      primary.signalPostgres('SIGKILL');
    },
    repair: (_, primary) => primary.start(),
  },
  {
    name: 'stop',
    title: 'the primary Postgres and its Patroni are suspended',
    isFailover: true,
    holdMs: SPLIT_MS,
    inject(_, primary) {
      primary.signalPatroni('SIGSTOP');
      primary.signalPostgres('SIGSTOP');
    },
    // Before its Patroni, as after a pause of a virtual machine.
    continuePrimary: (primary) => primary.signalPostgres('SIGCONT'),
    repair(_, primary) {
      primary.signalPostgres('SIGCONT'); // also if the round ended before
      primary.signalPatroni('SIGCONT');
    },
  },
  {
    name: 'patroni',
    title: 'the Patroni of the primary is suspended',
    isFailover: true,
    holdMs: SPLIT_MS,
    inject: (_, primary) => primary.signalPatroni('SIGSTOP'),
    continuePrimary: () => {}, // its Postgres was never suspended
    repair: (_, primary) => primary.signalPatroni('SIGCONT'),
  },
  {
    name: 'switchover',
    title: 'a switchover',
    isFailover: true,
    holdMs: 0,
    async inject(_, primary) {
      const answer = await primary.ask('/switchover', { leader: primary.name });
      if (answer?.status !== 200) throw new Error(`Patroni refused the switchover: ${answer?.text ?? 'no answer'}`);
    },
    repair: () => {},
  },
  {
    name: 'etcd',
    title: 'all members of etcd are killed',
    isFailover: false,
    holdMs: 30_000, // longer than the ttl
    maxFailedShare: 0.01,
    inject: (cluster) => cluster.stopEtcd(),
    repair: (cluster) => cluster.startEtcd(),
  },
  {
    name: 'standby',
    title: 'a synchronous standby is suspended',
    isFailover: false,
    holdMs: 20_000,
    maxFailedShare: 0.01,
    inject: (cluster, primary) => findStandby(cluster, primary).signalPostgres('SIGSTOP'),
    repair: (cluster, primary) => findStandby(cluster, primary).signalPostgres('SIGCONT'),
  },
  {
    name: 'disk',
    title: 'the disk of the primary is full',
    isFailover: false,
    holdMs: 15_000,
    inject: (_, primary) => primary.disk.fill(primary.pids()),
    repair: (_, primary) => primary.disk.free(primary.pids()),
  },
];
