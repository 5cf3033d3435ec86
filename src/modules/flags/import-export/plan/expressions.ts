import type { Fault } from '../../../../platform/errors.ts';
import { expressionFault, expressionSizeFault } from '../../../../platform/regular-expression.ts';
import { createSlices } from '../../../../platform/slices.ts';
import type { ImportDocument } from '../contract/document.ts';

/**
 * The expressions of a document that nobody can read. One that is too large is let in unread, as an older version may
 * have exported it: it holds for nobody. A thousand of the others take seconds to compile, so others are let in between.
 */
export async function unreadableFaults(
  { featureStrategies }: ImportDocument,
  path: string,
): Promise<Fault[]> {
  const slices = createSlices();
  const known = new Map<string, string | undefined>();
  const faults: Fault[] = [];
  for (const [index, { constraints = [] }] of featureStrategies.entries()) {
    for (const [place, { operator, value }] of constraints.entries()) {
      if (operator !== 'REGEX' || !value) continue;
      if (!known.has(value)) {
        known.set(value, expressionSizeFault(value) ? undefined : expressionFault(value));
        await slices.pause();
      }
      const reason = known.get(value);
      if (reason === undefined) continue;
      const at = `${path}/featureStrategies/${index}/constraints/${place}/value`;
      faults.push({ path: at, message: `${at} must be an RE2 expression: ${reason}` });
    }
  }
  return faults;
}
