// Whether the end-to-end suite is to run against several nodes (`npm run prove -- nodes`): everybody who wants to know asks here.
export const hasNodes = process.env.SLIPWAY_TEST_NODES === 'on';
