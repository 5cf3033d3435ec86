import { useCallback, useRef, useState } from 'react';
import { useMe } from '../../me.ts';
import { ownKey } from '../../own-storage.ts';
import { type Draft, emptyDraft } from './draft.ts';

function stored(key: string): Draft {
  try {
    const draft = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Draft | null;
    return draft?.environments ? draft : emptyDraft;
  } catch {
    return emptyDraft;
  }
}

function store(key: string, draft: Draft): void {
  const isEmpty = Object.keys(draft.environments).length === 0 && !draft.dependencies;
  if (isEmpty) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify(draft));
}

/** Unfinished text, which the tab keeps, too; undefined where there is none. */
export function useUnfinished(key: string) {
  const { user } = useMe();
  const name = ownKey(user.id, `text ${key}`);
  const [text, setText] = useState(() => sessionStorage.getItem(name) ?? undefined);
  const change = (next: string | undefined) => {
    if (next === undefined) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, next);
    setText(next);
  };
  return [text, change] as const;
}

/**
 * The unsaved changes. The tab keeps them for this user, so that neither a reload nor an ended session
 * loses them.
 */
export function useDraft(feature: string) {
  const { user } = useMe();
  const key = ownKey(user.id, `draft ${feature}`);
  const [draft, setDraft] = useState(() => stored(key));
  const latest = useRef(draft);
  const change = useCallback(
    (edit: (draft: Draft) => Draft) => {
      latest.current = edit(latest.current);
      store(key, latest.current);
      setDraft(latest.current);
    },
    [key],
  );
  return [draft, change] as const;
}
