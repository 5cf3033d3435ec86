import type { Fault } from '../../../platform/contract/fault.ts';

/** The sum of all weights, in thousandths. */
const totalWeight = 1000;

interface WeightedVariant {
  readonly name: string;
  readonly weight: number;
  readonly weightType: 'variable' | 'fix';
}

const isFixed = ({ weightType }: WeightedVariant) => weightType === 'fix';
const fixedWeight = (variants: readonly WeightedVariant[]) =>
  variants.filter(isFixed).reduce((sum, { weight }) => sum + weight, 0);

/** Faults of a list of variants: duplicate names, and weights that cannot add up. */
export function weightFaults(variants: readonly WeightedVariant[], path: string): Fault[] {
  const faults: Fault[] = [];
  const names = new Set<string>();
  for (const [index, { name }] of variants.entries()) {
    const at = `${path}/${index}/name`;
    if (names.has(name)) faults.push({ path: at, message: `${at} '${name}' is used twice` });
    names.add(name);
  }
  const fixed = fixedWeight(variants);
  if (fixed > totalWeight) {
    faults.push({
      path,
      message: `${path}: fixed weights add up to ${fixed}, the maximum is ${totalWeight}`,
    });
  } else if (variants.length > 0 && variants.every(isFixed) && fixed !== totalWeight) {
    faults.push({
      path,
      message: `${path}: fixed weights add up to ${fixed}. Without a variable weight they must add up to ${totalWeight}`,
    });
  }
  return faults;
}

/**
 * The order in which variants are stored and returned. SDKs assign buckets in this order. So it depends only on the
 * names, not on the order of a request or the locale of the machine. Names that compare equal keep their order.
 */
const { compare } = new Intl.Collator('en-US');

/** Variable variants share what the fixed ones leave. The first ones get the remainder. */
export function distributeWeights<V extends WeightedVariant>(variants: readonly V[]): V[] {
  const variable = variants.filter((variant) => !isFixed(variant));
  const rest = Math.max(0, totalWeight - fixedWeight(variants));
  const share = Math.floor(rest / variable.length);
  let leftOver = rest - share * variable.length;
  return variants.map((variant) => {
    if (isFixed(variant)) return variant;
    const weight = leftOver > 0 ? share + 1 : share;
    leftOver -= 1;
    return { ...variant, weight };
  });
}

export const sortVariants = <V extends { readonly name: string }>(variants: readonly V[]): V[] =>
  variants.toSorted((a, b) => compare(a.name, b.name));

/** Variants as stored: weights are assigned in the order of the request, then variants are sorted by name. */
export const normalizeVariants = <V extends WeightedVariant>(variants: readonly V[]): V[] =>
  sortVariants(distributeWeights(variants));

/** Whether weights can be the outcome of a distribution, whichever variants got the remainder. */
export function areDistributed(variants: readonly WeightedVariant[]): boolean {
  if (variants.length === 0) return true;
  const shares = variants.filter((variant) => !isFixed(variant)).map(({ weight }) => weight);
  const sum = shares.reduce((total, weight) => total + weight, fixedWeight(variants));
  return (
    sum === totalWeight && (shares.length === 0 || Math.max(...shares) - Math.min(...shares) <= 1)
  );
}

/**
 * The same for variants that were stored before, here or in another installation. They are in the order of their names,
 * so that a distribution would give the remainder to other variants, and users another variant.
 */
export const normalizeStoredVariants = <V extends WeightedVariant>(variants: readonly V[]): V[] =>
  areDistributed(variants) ? sortVariants(variants) : normalizeVariants(variants);
