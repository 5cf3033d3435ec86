import { useCallback, useState } from 'react';
import { type Draft, emptyDraft } from '../draft.ts';

const keyOf = (feature: string) => `burgee draft ${feature}`;

function stored(feature: string): Draft {
  try {
    const draft = JSON.parse(sessionStorage.getItem(keyOf(feature)) ?? 'null') as Draft | null;
    return draft?.environments ? draft : emptyDraft;
  } catch {
    return emptyDraft;
  }
}

function store(feature: string, draft: Draft): void {
  const isEmpty = Object.keys(draft.environments).length === 0 && !draft.dependencies;
  if (isEmpty) sessionStorage.removeItem(keyOf(feature));
  else sessionStorage.setItem(keyOf(feature), JSON.stringify(draft));
}

/** What is changed and not saved. The tab keeps it, so that neither a reload nor an ended session loses it. */
export function useDraft(feature: string) {
  const [draft, setDraft] = useState(() => stored(feature));
  const change = useCallback(
    (edit: (draft: Draft) => Draft) =>
      setDraft((before) => {
        const after = edit(before);
        store(feature, after);
        return after;
      }),
    [feature],
  );
  return [draft, change] as const;
}
