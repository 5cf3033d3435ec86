/** What PostgreSQL answers to whatever comes behind a statement that has failed. */
const isInVain = (reason: unknown): boolean =>
  reason instanceof Error && 'code' in reason && reason.code === '25P02';

/**
 * Waits for statements of a transaction that were sent one behind the other, without a trip for each. When one fails
 * those behind it fail because of it: what is thrown is the failure that all others come from.
 */
export async function together<Results extends readonly unknown[]>(
  ...work: { readonly [Nth in keyof Results]: Promise<Results[Nth]> }
): Promise<Results> {
  const ends = await Promise.allSettled(work);
  const failed = ends.filter((end) => end.status === 'rejected');
  const [first] = failed;
  if (first) throw (failed.find(({ reason }) => !isInVain(reason)) ?? first).reason;
  return ends.map((end) => (end as PromiseFulfilledResult<unknown>).value) as unknown as Results;
}
