// Traces: what a request set in motion, and what set an event or a delivery in motion.
import { getTrace } from './get-trace.ts';

export const traceOperations = [getTrace];
