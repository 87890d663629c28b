// Operations that always refuse schemathesis, each with its reason. Their input cannot be generated, or supplying it
// would end objects that other calls need. The test suite covers each of them.
export const REFUSED: Readonly<Record<string, string>> = {
  reportGithubMatches: 'Only GitHub can sign it.',
  reportLeakedKey: 'It takes the text of a key, which nobody guesses.',
  createWorkflowRun: 'Its input has to fit the schema of a workflow, which is data and in no contract.',
  getWorkflowRun: 'There is no run, because none can be started.',
  createAccount: 'It takes a link that was mailed.',
  resetPassword: 'It takes a link that was mailed.',
  redeemSignInLink: 'It takes a link that was mailed, or was printed by a command.',
  acceptInvitation: 'It takes the link of an invitation, by whoever it was made for.',
  confirmSecondFactor: 'It takes a code that an app on a phone computes.',
  completeSignIn: 'It takes a code that an app on a phone computes.',
  proveSecondFactor: 'There is no second factor, because none can be confirmed.',
  disableSecondFactor: 'There is no second factor, because none can be confirmed.',
  requestSecondFactorRemoval: 'There is no second factor, because none can be confirmed.',
  cancelSecondFactorRemoval: 'No removal is pending.',
  cancelMailedRemoval: 'It takes a link that was mailed.',
  beginProviderSignIn: 'No provider of identities is configured.',
  beginProviderLink: 'No provider of identities is configured.',
  removeProviderLink: 'No provider of identities is configured.',
  completeProviderSignIn: 'No provider of identities is configured.',
  endSession: 'The session that could be named is the one in which all else is tried.',
  leaveOrganisation: 'The last owner of an organisation cannot leave it.',
  previewSchemaVersion:
    'It takes an endpoint with an older schema version of what it receives: a new one has the newest.',
  readNotice: 'Notices come by the clock or from a key that leaked: there is none.',
};
