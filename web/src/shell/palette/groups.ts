import { best } from './rank.ts';
import type { Group, Thing } from './things.ts';

interface Source {
  readonly label: string;
  readonly things: readonly Thing[];
  readonly limit: number;
  /** How much likelier this kind is meant. */
  readonly weight: number;
  /** Whether equally good matches keep their order, such as that of environments, instead of shorter ones first. */
  readonly keepsOrder?: boolean;
}

const weightOf = (recent: ReadonlySet<string>, { id }: Thing) => (recent.has(id) ? 1 : 0);

/** The kind of a match, such as the start of a word, without the bonus for short names. */
const kindOf = (quality: number): number => Math.floor(quality / 10);

/** What matches, in groups: the group with the best match is first. Recent things win among equals. */
export function matching(
  sources: readonly Source[],
  typed: string,
  recent: ReadonlySet<string>,
): Group[] {
  const groups = sources.map(({ label, things, limit, weight, keepsOrder = false }) => {
    const found = best(things, typed, { nameOf: (thing) => thing.label, limit: limit * 2 });
    const byLabel = new Set(found.map(({ item }) => item));
    // Another word for the same thing is a weaker match than its name.
    const byWords = best(
      things.filter((thing) => thing.words !== undefined && !byLabel.has(thing)),
      typed,
      { nameOf: (thing) => thing.words ?? '', limit },
    ).map(({ item, quality }) => ({ item, quality: Math.min(quality, 45) / 2 }));
    const places = new Map(things.map((thing, place) => [thing, place]));
    const placeOf = ({ item }: { readonly item: Thing }) => places.get(item) ?? 0;
    const all = [...found, ...byWords].sort((a, b) =>
      keepsOrder
        ? kindOf(b.quality) - kindOf(a.quality) || placeOf(a) - placeOf(b)
        : Math.round(b.quality) - Math.round(a.quality) ||
          weightOf(recent, b.item) - weightOf(recent, a.item) ||
          b.quality - a.quality,
    );
    return {
      label,
      top: (all[0]?.quality ?? 0) + weight,
      things: all.slice(0, limit).map(({ item }) => item),
    };
  });
  return groups
    .filter(({ things }) => things.length > 0)
    .sort((a, b) => b.top - a.top)
    .map(({ label, things }) => ({ label, things }));
}
