import type { Response } from '../../api.ts';
import { moreText } from '../../ui/format.ts';

type Overview = Response<'GET /api/admin/metrics/applications/:appName/overview'>;

/** The unknown flags that an application requests: their number, some of them, and how many are left out. */
export function unknownFlagsOf(
  { environments }: Pick<Overview, 'environments'>,
  most = 5,
): { readonly count: number; readonly shown: readonly string[]; readonly more: string } {
  const names = [...new Set(environments.flatMap(({ issues }) => issues.missingFeatures))].sort();
  const rest = names.length - most;
  return {
    count: names.length,
    shown: names.slice(0, most),
    more: rest > 0 ? moreText(rest) : '',
  };
}
