/** Burgee cannot start; the message tells the operator why. It is printed without a stack, with exit code 1. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
