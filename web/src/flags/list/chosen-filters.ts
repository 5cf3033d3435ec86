import { type FeatureSearch, type ListFilter, listFilters } from './search.ts';

export type FacetName = ListFilter | 'lastSeenAt' | 'expired' | 'favorite' | 'archived';

const isListFilter = (name: FacetName): name is ListFilter =>
  (listFilters as readonly string[]).includes(name);

export function chosenIn(search: FeatureSearch, name: FacetName): readonly string[] {
  const value = search[name];
  if (value === undefined) return [];
  if (typeof value === 'boolean') return ['true'];
  return typeof value === 'string' ? [value] : value;
}

/** Adds a value of a facet, or removes it. */
export function toggled(search: FeatureSearch, name: FacetName, value: string): FeatureSearch {
  const chosen = chosenIn(search, name);
  const isChosen = chosen.includes(value);
  const { [name]: _, ...rest } = search;
  if (isListFilter(name)) {
    const values = isChosen ? chosen.filter((each) => each !== value) : [...chosen, value];
    return values.length === 0 ? rest : { ...rest, [name]: values };
  }
  if (isChosen) return rest;
  return { ...rest, [name]: name === 'lastSeenAt' ? value : true };
}

/** The same order and columns, and nothing filtered. */
export const cleared = ({ sortBy, sortOrder, columns }: FeatureSearch): FeatureSearch => ({
  ...(sortBy !== undefined && { sortBy }),
  ...(sortOrder !== undefined && { sortOrder }),
  ...(columns !== undefined && { columns }),
});
