// The attempts that this process has claimed and not yet recorded, and the one way to stop them.
import { monotonicMs } from '../../kit/flow/clock.ts';
import { Stopper } from '../../kit/outbound/stop-signal.ts';
import type { Load, SlowLoad } from './lanes.ts';
import type { Ticket } from './permits.ts';

/** 'revoke': the access is gone. 'leave': this worker stops, or was struck off. */
export type StopCause = 'revoke' | 'leave';

export type NewFlight = Pick<Flight, 'deliveryId' | 'endpointId' | 'host' | 'ticket'>;

export class Flight {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly host: string;
  readonly ticket: Ticket;
  readonly stopper = new Stopper();
  stoppedBy: StopCause | undefined;
  /** The permit was given: from here on the receiver may have seen something. */
  hasBegun = false;
  readonly beganAtMs = monotonicMs();
  /** From the outbound door on: what waited for a place there was no slowness of the receiver's. Undefined until it is known. */
  durationUs: number | undefined;
  /** Undefined while it may have a socket. */
  offWireAtMs: number | undefined;
  /** Called one by one; few deliveries have somebody who waits for more than the first. */
  readonly #listeners: (() => void)[] = [];

  constructor({ deliveryId, endpointId, host, ticket }: NewFlight) {
    this.deliveryId = deliveryId;
    this.endpointId = endpointId;
    this.host = host;
    this.ticket = ticket;
  }

  /** Its socket is closed, or was never opened. */
  markOffWire(): void {
    if (this.offWireAtMs !== undefined) return;
    this.offWireAtMs = monotonicMs();
    for (const listener of this.#listeners) listener();
  }

  /** Told once, at once when it is already so. */
  onOffWire(listener: () => void): void {
    if (this.offWireAtMs === undefined) this.#listeners.push(listener);
    else listener();
  }
}

/** As a load, what is on the wire: its place is another's as soon as it is off, while its attempt is still being recorded. */
export interface Flights extends Load {
  /** With those that are off the wire and not yet recorded. */
  readonly unrecorded: number;
  add(flight: NewFlight): Flight;
  remove(flight: Flight): void;
  deliveryIds(): string[];
  /** Aborts what matches; resolves once none of it is on the wire any more. */
  abort(isMeant: (flight: Flight) => boolean, cause: StopCause): Promise<void>;
  /** Resolves when nothing is left. */
  empty(): Promise<void>;
}

// Longer than a receiver that is well takes, and much shorter than the deadline.
const QUICK_MS = 2_000;
const REMEMBERED = 10_000;

const countUp = (counts: Map<string, number>, id: string, change: number): void => {
  const count = (counts.get(id) ?? 0) + change;
  if (count === 0) counts.delete(id);
  else counts.set(id, count);
};

/** The endpoints whose last attempt was soon over, those that were so last at the end; the oldest are forgotten. */
function createQuick() {
  const endpoints = new Set<string>();
  return {
    has: (endpointId: string) => endpoints.has(endpointId),
    note({ endpointId, beganAtMs, durationUs, offWireAtMs }: Flight): void {
      endpoints.delete(endpointId);
      const tookMs = durationUs === undefined ? (offWireAtMs ?? monotonicMs()) - beganAtMs : durationUs / 1000;
      if (tookMs > QUICK_MS) return;
      endpoints.add(endpointId);
      const [oldest] = endpoints;
      if (endpoints.size > REMEMBERED && oldest !== undefined) endpoints.delete(oldest);
    },
  };
}

function slowAmong(flights: ReadonlySet<Flight>, quick: ReturnType<typeof createQuick>): SlowLoad {
  const longAgoMs = monotonicMs() - QUICK_MS;
  const hanging = new Set<string>();
  for (const { endpointId, beganAtMs, offWireAtMs } of flights) {
    if (offWireAtMs === undefined && beganAtMs < longAgoMs) hanging.add(endpointId);
  }
  const isSlow = (endpointId: string): boolean => hanging.has(endpointId) || !quick.has(endpointId);
  const held = [...flights].filter((flight) => isSlow(flight.endpointId));
  return {
    isSlow,
    total: held.length,
    ofApp: (appId) => held.filter((flight) => flight.ticket.appId === appId).length,
  };
}

export function createFlights(): Flights {
  const flights = new Set<Flight>();
  const onWire = new Set<Flight>();
  const endpoints = new Map<string, number>();
  const apps = new Map<string, number>();
  const hosts = new Map<string, number>();
  const quick = createQuick();
  let waiting: (() => void)[] = [];

  function leaveWire(flight: Flight): void {
    if (!onWire.delete(flight)) return;
    // One that we broke off says nothing of its receiver.
    if (flight.stoppedBy === undefined) quick.note(flight);
    countUp(endpoints, flight.endpointId, -1);
    countUp(apps, flight.ticket.appId, -1);
    countUp(hosts, flight.host, -1);
  }

  return {
    get total() {
      return onWire.size;
    },
    get unrecorded() {
      return flights.size;
    },
    ofEndpoint: (endpointId) => endpoints.get(endpointId) ?? 0,
    ofApp: (appId) => apps.get(appId) ?? 0,
    ofHost: (host) => hosts.get(host) ?? 0,
    slow: () => slowAmong(onWire, quick),
    deliveryIds: () => [...flights].map((flight) => flight.deliveryId),
    add(given) {
      const flight = new Flight(given);
      flights.add(flight);
      onWire.add(flight);
      flight.onOffWire(() => leaveWire(flight));
      countUp(endpoints, flight.endpointId, 1);
      countUp(apps, flight.ticket.appId, 1);
      countUp(hosts, flight.host, 1);
      return flight;
    },
    remove(flight) {
      if (!flights.delete(flight)) return;
      leaveWire(flight);
      if (flights.size > 0) return;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
    async abort(isMeant, cause) {
      const meant = [...flights].filter(isMeant);
      for (const flight of meant) {
        flight.stoppedBy ??= cause;
        flight.stopper.stop();
      }
      await Promise.all(meant.map((flight) => new Promise<void>((resolve) => flight.onOffWire(resolve))));
    },
    empty: () => (flights.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
