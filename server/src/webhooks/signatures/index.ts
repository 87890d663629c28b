// Diagnoses why a message that a receiver got does not verify.

export { diagnose } from './diagnose.ts';
export { Diagnosis, exampleDiagnosis, exampleMessage, ReceivedMessage, toDiagnosis } from './diagnosis.ts';
