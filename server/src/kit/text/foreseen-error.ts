/** An error whose message is a complete explanation. The program prints the message without a stack. */
export class ForeseenError extends Error {
  override name = 'ForeseenError';
}
