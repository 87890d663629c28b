// What the reviewers' queue shows, as it stands in the address.
import { oneOf } from '../../kit/search.ts';

export const REVIEW_STATES = ['submitted', 'changes_requested', 'approved', 'rejected'] as const;

export interface ReviewsSearch {
  /** Absent: those that wait. */
  state?: (typeof REVIEW_STATES)[number];
}

export function toReviewsSearch(search: Partial<Record<keyof ReviewsSearch, unknown>>): ReviewsSearch {
  return oneOf('state', search.state, REVIEW_STATES);
}
