// Live access: the approval of an app for production. An organisation submits a request, which is frozen together with
// evidence from the sandbox. A reviewer without a part in the request decides, and production applies the decision.
import { approveLiveAccess } from './approve-live-access.ts';
import { createLiveAccessRequest } from './create-live-access-request.ts';
import { getLiveAccessRequest } from './get-live-access-request.ts';
import { getLiveAccessReview } from './get-live-access-review.ts';
import { listLiveAccess } from './list-live-access.ts';
import { listLiveAccessRequests } from './list-live-access-requests.ts';
import { listLiveAccessReviews } from './list-live-access-reviews.ts';
import { readLiveAccessDecision } from './read-live-access-decision.ts';
import { rejectLiveAccessRequest } from './reject-live-access-request.ts';
import { requestLiveAccessChanges } from './request-live-access-changes.ts';
import { resumeLiveAccess } from './resume-live-access.ts';
import { revokeLiveAccess } from './revoke-live-access.ts';
import { submitLiveAccessRequest } from './submit-live-access-request.ts';
import { suspendLiveAccess } from './suspend-live-access.ts';
import { updateLiveAccessRequest } from './update-live-access-request.ts';
import { withdrawLiveAccessRequest } from './withdraw-live-access-request.ts';

export const liveAccessOperations = [
  listLiveAccess,
  listLiveAccessRequests,
  createLiveAccessRequest,
  getLiveAccessRequest,
  updateLiveAccessRequest,
  submitLiveAccessRequest,
  withdrawLiveAccessRequest,
  readLiveAccessDecision,
  listLiveAccessReviews,
  getLiveAccessReview,
  requestLiveAccessChanges,
  approveLiveAccess,
  rejectLiveAccessRequest,
  suspendLiveAccess,
  resumeLiveAccess,
  revokeLiveAccess,
];
export { readRequests } from './detail.ts';
export { reportUnconfirmedAccess, startLiveAccessReports } from './report-live-access.job.ts';
