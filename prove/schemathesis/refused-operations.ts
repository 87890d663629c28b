// Operations that always refuse schemathesis, each with its reason. Their input cannot be generated, or supplying it
// would end objects that other calls need. The test suite covers each of them.
export const REFUSED_OPERATIONS: Readonly<Record<string, string>> = {
  reportGithubMatches: 'Only GitHub can sign it.',
  reportLeakedKey: 'The request requires the text of a key, which cannot be guessed.',
  createWorkflowRun: 'The input must match the schema of a workflow, which is data and not part of a contract.',
  getWorkflowRun: 'There is no run, because none can be started.',
  createAccount: 'The request requires a mailed link.',
  resetPassword: 'The request requires a mailed link.',
  redeemSignInLink: 'The request requires a link that was mailed or printed by a command.',
  acceptInvitation: 'The request requires the link of an invitation to the member who accepts it.',
  confirmSecondFactor: 'The request requires a code of an authenticator app.',
  completeSignIn: 'The request requires a code of an authenticator app.',
  verifySecondFactor: 'There is no second factor, because none can be confirmed.',
  disableSecondFactor: 'There is no second factor, because none can be confirmed.',
  requestSecondFactorRemoval: 'There is no second factor, because none can be confirmed.',
  cancelSecondFactorRemoval: 'No removal is pending.',
  cancelMailedRemoval: 'The request requires a mailed link.',
  beginProviderSignIn: 'No identity provider is configured.',
  beginProviderLink: 'No identity provider is configured.',
  removeProviderLink: 'No identity provider is configured.',
  completeProviderSignIn: 'No identity provider is configured.',
  endSession: 'The only existing session is the session of the test.',
  leaveOrganisation: 'The last owner of an organisation cannot leave it.',
  previewSchemaVersion:
    'The request requires an endpoint with an older schema version of a subscribed type. A new endpoint has the newest.',
  readNotice: 'There is no notice: the clock or a leaked key creates them.',
};
