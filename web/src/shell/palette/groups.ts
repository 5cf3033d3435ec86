import { best } from './rank.ts';
import type { Group, Thing } from './things.ts';

interface Source {
  readonly label: string;
  readonly things: readonly Thing[];
  readonly limit: number;
  /** How much likelier this is what somebody looks for. */
  readonly weight: number;
}

const weightOf = (recent: ReadonlySet<string>, { id }: Thing) => (recent.has(id) ? 1 : 0);

/** What matches, in groups: the group with the best match stands first. Recent things win among equals. */
export function matching(
  sources: readonly Source[],
  typed: string,
  recent: ReadonlySet<string>,
): Group[] {
  const groups = sources.map(({ label, things, limit, weight }) => {
    const found = best(things, typed, { nameOf: (thing) => thing.label, limit: limit * 2 });
    const byLabel = new Set(found.map(({ item }) => item));
    // Another word for the same thing is a weaker match than its name.
    const byWords = best(
      things.filter((thing) => thing.words !== undefined && !byLabel.has(thing)),
      typed,
      { nameOf: (thing) => thing.words ?? '', limit },
    ).map(({ item, quality }) => ({ item, quality: Math.min(quality, 45) / 2 }));
    const all = [...found, ...byWords].sort(
      (a, b) =>
        Math.round(b.quality) - Math.round(a.quality) ||
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
