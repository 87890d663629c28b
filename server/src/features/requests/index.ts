// The Request Inspector: a record of every call, kept before its answer leaves.
import { getRequest } from './get-request.ts';
import { getRequestGroups } from './get-request-groups.ts';
import { getRequestHistogram } from './get-request-histogram.ts';
import { listRequests } from './list-requests.ts';

export const requestOperations = [listRequests, getRequest, getRequestGroups, getRequestHistogram];
export { type FilterWish, filterOf, filterQuery, type RequestFilter } from './filter.ts';
export { createRecorder, type Recorder } from './recorder.ts';
export { exampleRequest, RequestId, RequestRecord, type RequestRow, toRequestRecord } from './request-record.ts';
export { startSealing } from './seal-records.job.ts';
export { planByValues } from './search-store.ts';
export { conditionsOf, findRequestRow, REQUEST_COLUMNS } from './store.ts';
