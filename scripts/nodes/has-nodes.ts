// True if the end-to-end suite must run against several nodes (`npm run prove -- nodes`).
export const hasNodes = process.env.SLIPWAY_TEST_NODES === 'on';
