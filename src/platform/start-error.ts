/** Burgee cannot start, and the message tells the operator why. Printed without a stack, exit code 1. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
