// Search parameters of the reviewers' queue.
import { choiceParam } from '../../kit/search.ts';

export const REVIEW_STATES = ['submitted', 'changes_requested', 'approved', 'rejected'] as const;

export interface ReviewsSearch {
  /** Undefined: submitted requests. */
  state?: (typeof REVIEW_STATES)[number];
}

export function toReviewsSearch(search: Partial<Record<keyof ReviewsSearch, unknown>>): ReviewsSearch {
  return choiceParam('state', search.state, REVIEW_STATES);
}
