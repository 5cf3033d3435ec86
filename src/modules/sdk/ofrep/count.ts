import { AppError } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/module.ts';
import type { Evaluation } from '../evaluation/index.ts';
import type { EvaluationScope } from '../snapshot/index.ts';

interface Source {
  readonly scope: EvaluationScope;
  readonly appName: unknown;
  readonly isPublic: boolean;
}

/** The application name for clients that do not send one. */
const nobody = 'ofrep';
/** The same limit as for names that applications register with. */
const maxName = 255;

const nameOf = (appName: unknown): string =>
  typeof appName === 'string' && appName !== '' && appName.length <= maxName ? appName : nobody;

/** OpenFeature providers report no metrics, so their requests are counted here. */
export function createCount({
  clock,
  usage,
}: Pick<Services, 'clock' | 'usage'>): (evaluation: Evaluation, source: Source) => void {
  return ({ name, enabled, variant }, { scope, appName, isPublic }) => {
    const now = clock().toISOString();
    const counted = {
      yes: enabled ? 1 : 0,
      no: enabled ? 0 : 1,
      variants: variant.enabled ? { [variant.name]: 1 } : {},
    };
    const bucket = { start: now, stop: now, toggles: { [name]: counted } };
    try {
      usage.addMetrics(scope, { appName: nameOf(appName), bucket }, { isPublic });
    } catch (error) {
      // The metrics buffer is full. The evaluation is answered all the same.
      if (!(error instanceof AppError)) throw error;
    }
  };
}
