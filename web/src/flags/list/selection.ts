import { useState } from 'react';
import type { FoundFeature } from './feature-pages.ts';

/** The names of the selected features, with their projects. */
type Selected = ReadonlyMap<string, string>;

const none: Selected = new Map();

export interface Selection {
  readonly selected: Selected;
  readonly set: (
    features: readonly Pick<FoundFeature, 'name' | 'project'>[],
    isSelected: boolean,
  ) => void;
  readonly clear: () => void;
}

/** What is selected in one list. Another filter shows another list, in which nothing is selected. */
export function useSelection(listKey: string): Selection {
  const [state, setState] = useState({ listKey, selected: none });
  const selected = state.listKey === listKey ? state.selected : none;
  return {
    selected,
    set: (features, isSelected) =>
      setState((before) => {
        const next = new Map(before.listKey === listKey ? before.selected : none);
        for (const { name, project } of features) {
          if (isSelected) next.set(name, project);
          else next.delete(name);
        }
        return { listKey, selected: next };
      }),
    clear: () => setState({ listKey, selected: none }),
  };
}
