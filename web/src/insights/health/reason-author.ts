import type { Directory } from '../../directory.ts';

interface Marked {
  readonly evidence: { readonly markedBy?: string };
}

/** The reason with the name of who marked the feature as stale, where the log has an email address. */
export function withAuthorName<Reason extends Marked>(
  reason: Reason,
  directory: Directory,
): Reason {
  const { markedBy } = reason.evidence;
  const user = markedBy === undefined ? undefined : directory.userBySignIn(markedBy);
  return user ? { ...reason, evidence: { ...reason.evidence, markedBy: user.name } } : reason;
}
