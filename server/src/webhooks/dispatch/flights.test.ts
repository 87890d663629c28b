import { expect, test } from 'vitest';
import { createFlights, type NewFlight } from './flights.ts';

const newFlight = (deliveryId: string): NewFlight => ({
  deliveryId,
  endpointId: 'an endpoint',
  host: 'receiver.example.org',
  ticket: {
    appId: 'an app',
    keyId: 'a key',
    serverId: null,
    endpointId: 'an endpoint',
    epoch: 0,
    beginByMs: 0,
    incarnation: { workerId: 'a worker', leaseUntilMs: 0 },
  },
});

test('what is off the wire leaves its place to others, and is known until it is recorded', async () => {
  const flights = createFlights();
  const one = flights.add(newFlight('one'));
  flights.add(newFlight('two'));
  one.markOffWire();
  const places = [flights.ofEndpoint('an endpoint'), flights.ofApp('an app'), flights.ofHost('receiver.example.org')];
  expect([flights.total, ...places, flights.unrecorded]).toEqual([1, 1, 1, 1, 2]);
  expect(flights.deliveryIds()).toEqual(['one', 'two']);
  flights.remove(one);
  expect([flights.total, flights.ofEndpoint('an endpoint'), flights.unrecorded]).toEqual([1, 1, 1]);
});
