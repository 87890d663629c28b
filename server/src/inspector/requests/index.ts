// The Request Inspector: a record of every call. A response waits until its record is committed or given up.
import { getRequest } from './get-request.ts';
import { getRequestGroups } from './get-request-groups.ts';
import { getRequestHistogram } from './get-request-histogram.ts';
import { getRequestValues } from './get-request-values.ts';
import { listRecordGaps } from './list-record-gaps.ts';
import { listRequests } from './list-requests.ts';
import { pullRequests } from './pull-requests.ts';
import { pullUnauthenticatedRequests } from './pull-unauthenticated-requests.ts';

export const requestOperations = [
  listRequests,
  getRequest,
  getRequestGroups,
  getRequestHistogram,
  getRequestValues,
  listRecordGaps,
];
/** Operations for the Console's server: for an export, and for an operator. */
export const consoleRequestOperations = [pullRequests, pullUnauthenticatedRequests];
export { CaptureStatusSchema, exampleCaptureStatus } from './capture-status.ts';
export { startCompaction } from './compact-records.job.ts';
export { countLostRecords, findOldestRequest } from './gap-store.ts';
export { findMasks, toMask } from './mask.ts';
export { isPathComplete, maskedParametersOf } from './masked-address.ts';
export { findOmittedParts, OMITTED_PARTS, type OmittedPart } from './omitted-parts.ts';
export { continueBelow, type RecordSource, readSources, type SourcePosition } from './read-sources.ts';
export { createRecorder, type RecordDurability, type Recorder, type RecorderMeasures } from './recorder.ts';
export {
  type IdRange,
  type RequestFilter,
  type RequestFilterQuery,
  requestFilterQuery,
  toRequestFilter,
} from './request-filter.ts';
export {
  exampleKept,
  exampleRequest,
  KeptRequest,
  RequestId,
  RequestRecord,
  type RequestRow,
  requestParams,
  toRequestRecord,
} from './request-record.ts';
export { clipStretches, type SearchIndex, toStretches } from './search-plan.ts';
export { searchRequests } from './search-requests.ts';
export { candidates, listPartitions, planByValues } from './search-store.ts';
export { conditionsOf, findRequestRow, REQUEST_COLUMNS } from './store.ts';
export { findStoredRequests } from './stored-requests.ts';
export { exampleUnauthenticated, UnauthenticatedRequestList } from './unauthenticated-request.ts';
