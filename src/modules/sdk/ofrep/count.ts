import { AppError } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/module.ts';
import type { Evaluation } from '../evaluation/index.ts';
import type { EvaluationScope } from '../snapshot/index.ts';

interface Source {
  readonly scope: EvaluationScope;
  readonly appName: unknown;
  readonly isPublic: boolean;
}

/** Who does not say which application it is, in a name that one may have. */
const nobody = 'ofrep';
/** As long as those are under which applications tell of themselves. */
const maxName = 255;

const nameOf = (appName: unknown): string =>
  typeof appName === 'string' && appName !== '' && appName.length <= maxName ? appName : nobody;

/** Providers of OpenFeature report nothing: what they ask for is counted here. */
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
      // There is no room for more counts: whoever asks is told what is decided even so.
      if (!(error instanceof AppError)) throw error;
    }
  };
}
