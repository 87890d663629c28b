// The Request Inspector: a record of every call, committed before its response is sent.
import { getRequest } from './get-request.ts';
import { getRequestGroups } from './get-request-groups.ts';
import { getRequestHistogram } from './get-request-histogram.ts';
import { listRecordGaps } from './list-record-gaps.ts';
import { listRequests } from './list-requests.ts';
import { pullRequests } from './pull-requests.ts';
import { pullUnprovedRequests } from './pull-unproved-requests.ts';

export const requestOperations = [listRequests, getRequest, getRequestGroups, getRequestHistogram, listRecordGaps];
/** Operations for the Console's server: for an export, and for an operator. */
export const consoleRequestOperations = [pullRequests, pullUnprovedRequests];
export { type FilterWish, filterOf, filterQuery, type RequestFilter } from './filter.ts';
export { LEFT_OUT, type LeftOut, leftOutOf } from './left-out.ts';
export { masksIn } from './mask.ts';
export { isPathWhole, maskedParametersOf } from './masked-address.ts';
export { createRecorder, type Recorder, type RecorderMeasures } from './recorder.ts';
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
export { startSealing } from './seal-records.job.ts';
export { searchRequests } from './search-requests.ts';
export { listPartitions, planByValues } from './search-store.ts';
export { conditionsOf, findRequestRow, REQUEST_COLUMNS } from './store.ts';
export { exampleUnproved, UnprovedRequestList } from './unproved-request.ts';
