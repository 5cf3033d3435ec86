import { useNavigate } from '@tanstack/react-router';
import { useLayoutEffect, useRef } from 'react';
import { modKey } from '../ui/mod-key.ts';

export const commandKey = { label: modKey === '⌘' ? '⌘K' : 'Ctrl K', keys: [modKey, 'K'] };

export const goTo = {
  h: '/',
  f: '/search',
  p: '/projects',
  t: '/playground',
  d: '/insights',
  e: '/history',
  s: '/applications',
  i: '/integrations',
  a: '/profile',
} as const;

export type Letter = keyof typeof goTo;

/** The keys that go to a page. */
export function keysTo(path: (typeof goTo)[Letter]): readonly string[] {
  const letter = (Object.keys(goTo) as Letter[]).find((each) => goTo[each] === path) as Letter;
  return ['g', letter];
}

/** How long after g a letter still counts. */
const goMs = 1_500;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type));

/** Behind a dialog, shortcuts are off. */
const hasDialog = () => document.querySelector('[role=dialog][aria-modal=true]') !== null;

interface Actions {
  readonly openPalette: () => void;
  readonly openSheet: () => void;
}

/** ⌘K, `/`, `?`, and g with a letter. Letters don't count while the user is typing. */
export function useShortcuts(actions: Actions): void {
  const navigate = useNavigate();
  const latest = useRef(actions);
  latest.current = actions;
  // Before the next paint: the user may type as soon as they see the page.
  useLayoutEffect(() => {
    let goingUntil = 0;
    const onKey = (event: KeyboardEvent) => {
      const { key, metaKey, ctrlKey, altKey } = event;
      if ((metaKey || ctrlKey) && !altKey && key.toLowerCase() === 'k') {
        event.preventDefault();
        if (!hasDialog()) latest.current.openPalette();
        return;
      }
      if (event.defaultPrevented || metaKey || ctrlKey || altKey) return;
      if (isTyping(event.target) || hasDialog()) return;
      const isAfterG = performance.now() < goingUntil;
      goingUntil = key === 'g' && !isAfterG ? performance.now() + goMs : 0;
      if (isAfterG && key in goTo) {
        event.preventDefault();
        event.stopImmediatePropagation();
        void navigate({ to: goTo[key as Letter] });
      } else if (key === '?') latest.current.openSheet();
      else if (key === '/') {
        const field = document.querySelector<HTMLElement>('[data-search]');
        event.preventDefault();
        if (field) field.focus();
        else latest.current.openPalette();
      }
    };
    // Before the shortcuts of a page: a letter after g isn't one of theirs.
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [navigate]);
}
