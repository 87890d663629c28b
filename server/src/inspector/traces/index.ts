// Traces: the effects of a request, and the causes of an event or a delivery.
import { getTrace } from './get-trace.ts';

export const traceOperations = [getTrace];
