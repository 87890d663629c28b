export const COLOR_SCHEME_KEY = 'slipway-color-scheme';
