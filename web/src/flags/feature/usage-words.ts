import { agree, compactText, joinOr, percent } from '../../ui/format.ts';

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

interface VariantRow extends VariantSum {
  readonly share: string;
  readonly weight: string;
}

/** Each variant that was returned or is configured, with its share beside its weights. */
export function variantRows(
  sums: readonly VariantSum[],
  weights: ReadonlyMap<string, ReadonlySet<number>>,
): readonly VariantRow[] {
  const total = sums.reduce((sum, { times }) => sum + times, 0);
  const returned = new Set(sums.map(({ name }) => name));
  const others = [...weights.keys()].filter((name) => !returned.has(name));
  return [...sums, ...others.map((name) => ({ name, times: 0 }))].map(({ name, times }) => {
    const own = [...(weights.get(name) ?? [])].sort((a, b) => a - b);
    return {
      name,
      times,
      share: total === 0 ? '–' : percent(times, total),
      weight: own.length === 0 ? '–' : joinOr(own.map((weight) => percent(weight, 1000))),
    };
  });
}
