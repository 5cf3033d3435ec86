import { agree, compactText, numberText, percent } from '../../ui/format.ts';

/** "12K evaluations last hour · 99.9% enabled"; undefined without any. */
export function lastHourText({
  yes,
  no,
}: {
  readonly yes: number;
  readonly no: number;
}): string | undefined {
  const total = yes + no;
  if (total === 0) return undefined;
  return `${compactText(total)} ${agree(total, 'evaluation')} last hour · ${percent(yes, total)} enabled`;
}

interface VariantSum {
  readonly name: string;
  readonly times: number;
}

/** "5,120 · 51.2% (weight 50%)" for each variant; without a weight where environments have different ones. */
export function variantUsage(
  sums: readonly VariantSum[],
  weights: ReadonlyMap<string, ReadonlySet<number>>,
): readonly { readonly name: string; readonly text: string }[] {
  const total = sums.reduce((sum, { times }) => sum + times, 0);
  return sums.map(({ name, times }) => {
    const [weight, ...others] = weights.get(name) ?? [];
    const expected =
      weight === undefined || others.length > 0 ? '' : ` (weight ${percent(weight, 1000)})`;
    return { name, text: `${numberText(times)} · ${percent(times, total)}${expected}` };
  });
}
