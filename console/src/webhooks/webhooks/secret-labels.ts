// Text that accompanies every signing secret.
export const REVEALED_AGAIN = 'You can reveal it later on the endpoint’s page. The audit log records each reveal.';
