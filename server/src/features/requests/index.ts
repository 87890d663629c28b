// The Request Inspector: a record of every call, kept before its answer leaves.
import { getRequest } from './get-request.ts';
import { listRequests } from './list-requests.ts';

export const requestOperations = [listRequests, getRequest];
export { createRecorder, type Recorder } from './recorder.ts';
export { exampleRequest, RequestId } from './request-record.ts';
