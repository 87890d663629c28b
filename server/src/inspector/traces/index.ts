// Traces and events: the effects of a request, the causes of an event or a delivery, and the list of all events.
import { getEventTypes } from './get-event-types.ts';
import { getTrace } from './get-trace.ts';
import { listAppEvents } from './list-app-events.ts';

export const traceOperations = [getTrace, listAppEvents, getEventTypes];
