import { useCallback, useRef, useState } from 'react';
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

/** Text that somebody has not finished; undefined where nobody began. The tab keeps it, too. */
export function useUnfinished(key: string) {
  const name = `burgee text ${key}`;
  const [text, setText] = useState(() => sessionStorage.getItem(name) ?? undefined);
  const change = (next: string | undefined) => {
    if (next === undefined) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, next);
    setText(next);
  };
  return [text, change] as const;
}

/** What is changed and not saved. The tab keeps it, so that neither a reload nor an ended session loses it. */
export function useDraft(feature: string) {
  const [draft, setDraft] = useState(() => stored(feature));
  const latest = useRef(draft);
  const change = useCallback(
    (edit: (draft: Draft) => Draft) => {
      latest.current = edit(latest.current);
      store(feature, latest.current);
      setDraft(latest.current);
    },
    [feature],
  );
  return [draft, change] as const;
}
