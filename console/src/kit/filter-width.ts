/** The width of a filter on a phone, where two filters share a row. */
export const HALF_ROW = 'calc(50% - 5px)';
