import { chosenIn, type FacetName, toggled } from './chosen-filters.ts';
import type { FeatureSearch } from './search.ts';

interface QuickFilter {
  readonly label: string;
  readonly name: FacetName;
  readonly value: string;
}

/** Values of facets that are always shown above the list. */
export const quickFilters: readonly QuickFilter[] = [
  { label: 'Mine', name: 'owner', value: 'me' },
  { label: 'Stale', name: 'state', value: 'stale' },
  { label: 'Enabled in production', name: 'enabledIn', value: 'production' },
  { label: 'Not evaluated in 30 days', name: 'lastSeenAt', value: 'before:30' },
];

export const isOn = (search: FeatureSearch, { name, value }: QuickFilter): boolean =>
  chosenIn(search, name).includes(value);

export const toggledQuickly = (search: FeatureSearch, { name, value }: QuickFilter) =>
  toggled(search, name, value);

/** Whether one of the quick filters shows this value of a facet. */
export const isQuick = (name: FacetName, value: string): boolean =>
  quickFilters.some((each) => each.name === name && each.value === value);
