/**
 * Waits for statements of a transaction that were sent one behind the other, without a trip for each. When one fails
 * those behind it fail because of it: what is thrown is the failure of the first, whichever was heard of first.
 */
export async function together<Results extends readonly unknown[]>(
  ...work: { readonly [Nth in keyof Results]: Promise<Results[Nth]> }
): Promise<Results> {
  const ends = await Promise.allSettled(work);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
  return ends.map((end) => (end as PromiseFulfilledResult<unknown>).value) as unknown as Results;
}
