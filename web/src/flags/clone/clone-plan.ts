import type { Fault } from '../../api.ts';
import { faultMessage } from '../../ui/fault-message.ts';
import { plural } from '../../ui/format.ts';
import { typeName } from '../feature-words.ts';

const placeholder = '{name}';

/** The name of each copy. A text without the placeholder is the whole name. */
export const copyNames = (originals: readonly string[], text: string) =>
  originals.map((feature) => ({ feature, name: text.replaceAll(placeholder, feature) }));

const position = /^\/body\/features\/(\d+)/;

interface Refusal {
  readonly status: number;
  readonly kind: string;
  readonly message: string;
  readonly faults: readonly Fault[];
}

/** The faults of the copies by the names of their originals. A name that is taken has no place, but is quoted. */
export function faultsByCopy(
  { status, kind, message, faults }: Refusal,
  copies: readonly { readonly feature: string; readonly name: string }[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const fault of faults) {
    const copy = copies[Number(position.exec(fault.path ?? '')?.[1])];
    if (copy) found.set(copy.feature, faultMessage(fault.message));
  }
  if (found.size > 0 || (status !== 409 && kind !== 'PatternError')) return found;
  for (const { feature, name } of copies) {
    if (message.includes(`'${name}'`)) found.set(feature, message);
  }
  return found;
}

interface Copy {
  readonly type: string;
  readonly tags: readonly unknown[];
  readonly dependencies: readonly unknown[];
  readonly links?: readonly unknown[];
  readonly environments: readonly {
    readonly name: string;
    readonly strategies: readonly unknown[];
    readonly variants: readonly unknown[];
  }[];
}

const some = (count: number, one: string, many?: string): string[] =>
  count === 0 ? [] : [plural(count, one, many)];

/** What is copied apart from environments: "Type: Release · 1 tag · 2 links". */
export function partsOf(copy: Copy): string {
  const { type, tags, links = [], dependencies } = copy;
  return [
    `Type: ${typeName(type)}`,
    ...some(tags.length, 'tag'),
    ...some(links.length, 'link'),
    ...some(dependencies.length, 'dependency', 'dependencies'),
  ].join(' · ');
}

/** How many strategies and variants are copied, by environment; without those that have none. */
export const environmentRows = ({ environments }: Pick<Copy, 'environments'>) =>
  environments
    .map(({ name, strategies, variants }) => ({
      name,
      strategies: strategies.length,
      variants: variants.length,
    }))
    .filter(({ strategies, variants }) => strategies + variants > 0);
