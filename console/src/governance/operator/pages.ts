// Operator pages: addresses, names, and further search words of the command palette.
export const OPERATOR_PAGES = [
  ['organisations', 'Organisations', 'suspend resume quotas'],
  ['live-access', 'Live access', 'production review queue approve'],
  ['platform', 'Upstream API', 'production platform failures gateway'],
  ['messages', 'Outbox', 'mail messages'],
  ['requests', 'Requests without a key', 'unauthenticated counted'],
  ['sign-up', 'Sign-up', 'policy domains invited'],
] as const;
