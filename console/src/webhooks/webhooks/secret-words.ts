// Text that accompanies every signing secret.
export const REVEALED_AGAIN = 'Later it can be revealed on the endpoint’s page, and the audit log says who did.';
