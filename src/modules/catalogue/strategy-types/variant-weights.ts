import type { Fault } from '../../../platform/errors.ts';

/** All weights together: shares are thousandths. */
const whole = 1000;

interface Weighted {
  readonly name: string;
  readonly weight: number;
  readonly weightType: 'variable' | 'fix';
}

const isFixed = ({ weightType }: Weighted) => weightType === 'fix';
const fixedWeight = (variants: readonly Weighted[]) =>
  variants.filter(isFixed).reduce((sum, { weight }) => sum + weight, 0);

/** What keeps a list of variants from sharing the whole: names used twice, weights that cannot add up. */
export function weightFaults(variants: readonly Weighted[], path: string): Fault[] {
  const faults: Fault[] = [];
  const names = new Set<string>();
  for (const [index, { name }] of variants.entries()) {
    const at = `${path}/${index}/name`;
    if (names.has(name)) faults.push({ path: at, message: `${at} '${name}' is used twice` });
    names.add(name);
  }
  const fixed = fixedWeight(variants);
  if (fixed > whole) {
    faults.push({
      path,
      message: `${path} have fixed weights of ${fixed}: at most ${whole} in all`,
    });
  } else if (variants.length > 0 && variants.every(isFixed) && fixed !== whole) {
    faults.push({
      path,
      message: `${path} have fixed weights of ${fixed} in all: without a variable one they must add up to ${whole}`,
    });
  }
  return faults;
}

/**
 * The order in which variants are kept and told. SDKs bucket along it, so it depends on the names alone: on neither the
 * order of a request nor the language of the machine. Names that compare equal stay as they come.
 */
const { compare } = new Intl.Collator('en-US');

/** What the fixed variants leave, shared evenly by the variable ones; the first get what is left over. */
function distributed<V extends Weighted>(variants: readonly V[]): V[] {
  const variable = variants.filter((variant) => !isFixed(variant));
  const rest = Math.max(0, whole - fixedWeight(variants));
  const share = Math.floor(rest / variable.length);
  let leftOver = rest - share * variable.length;
  return variants.map((variant) => {
    if (isFixed(variant)) return variant;
    const weight = leftOver > 0 ? share + 1 : share;
    leftOver -= 1;
    return { ...variant, weight };
  });
}

/** Variants as they are kept: the whole is shared in the order in which they were asked for, then they stand by name. */
export const settled = <V extends Weighted>(variants: readonly V[]): V[] =>
  distributed(variants).sort((a, b) => compare(a.name, b.name));
