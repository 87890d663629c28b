// The attempts that this process has claimed and not yet recorded, and the one way to stop them.
import type { Load } from './lanes.ts';
import type { Ticket } from './permits.ts';

/** 'revoke': the access is gone. 'leave': this worker stops, or was struck off. */
export type StopCause = 'revoke' | 'leave';

export interface Flight {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly host: string;
  readonly ticket: Ticket;
  readonly controller: AbortController;
  stoppedBy: StopCause | undefined;
  /** The permit was given: from here on the receiver may have seen something. */
  hasBegun: boolean;
  /** Resolves when its socket is closed, or was never opened. */
  readonly offWire: Promise<void>;
  markOffWire(): void;
}

export type NewFlight = Pick<Flight, 'deliveryId' | 'endpointId' | 'host' | 'ticket'>;

export interface Flights extends Load {
  add(flight: NewFlight): Flight;
  remove(flight: Flight): void;
  deliveryIds(): string[];
  /** Aborts what matches; resolves once none of it is on the wire any more. */
  abort(isMeant: (flight: Flight) => boolean, cause: StopCause): Promise<void>;
  /** Resolves when nothing is left. */
  empty(): Promise<void>;
}

const countUp = (counts: Map<string, number>, id: string, change: number): void => {
  const count = (counts.get(id) ?? 0) + change;
  if (count === 0) counts.delete(id);
  else counts.set(id, count);
};

function newFlight(given: NewFlight): Flight {
  let markOffWire = (): void => {};
  const offWire = new Promise<void>((resolve) => {
    markOffWire = resolve;
  });
  const controller = new AbortController();
  return { ...given, controller, stoppedBy: undefined, hasBegun: false, offWire, markOffWire };
}

export function createFlights(): Flights {
  const flights = new Set<Flight>();
  const endpoints = new Map<string, number>();
  const apps = new Map<string, number>();
  const hosts = new Map<string, number>();
  let waiting: (() => void)[] = [];

  return {
    get total() {
      return flights.size;
    },
    ofEndpoint: (endpointId) => endpoints.get(endpointId) ?? 0,
    ofApp: (appId) => apps.get(appId) ?? 0,
    ofHost: (host) => hosts.get(host) ?? 0,
    deliveryIds: () => [...flights].map((flight) => flight.deliveryId),
    add(given) {
      const flight = newFlight(given);
      flights.add(flight);
      countUp(endpoints, flight.endpointId, 1);
      countUp(apps, flight.ticket.appId, 1);
      countUp(hosts, flight.host, 1);
      return flight;
    },
    remove(flight) {
      if (!flights.delete(flight)) return;
      countUp(endpoints, flight.endpointId, -1);
      countUp(apps, flight.ticket.appId, -1);
      countUp(hosts, flight.host, -1);
      if (flights.size > 0) return;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
    async abort(isMeant, cause) {
      const meant = [...flights].filter(isMeant);
      for (const flight of meant) {
        flight.stoppedBy ??= cause;
        flight.controller.abort(cause);
      }
      await Promise.all(meant.map((flight) => flight.offWire));
    },
    empty: () => (flights.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
