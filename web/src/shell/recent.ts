import { useSyncExternalStore } from 'react';
import { ownKey } from '../own-storage.ts';

/** A feature or project that the user opened in this browser. */
export type RecentPage =
  | { readonly kind: 'feature'; readonly project: string; readonly name: string }
  | { readonly kind: 'project'; readonly project: string };

const kept = 30;

export const keyOf = (place: RecentPage): string =>
  place.kind === 'feature' ? `feature ${place.name}` : `project ${place.project}`;

const storageKey = (userId: number) => ownKey(userId, 'recent');

const isRecentPage = (value: unknown): value is RecentPage => {
  const { kind, project, name } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof project === 'string' &&
    (kind === 'project' || (kind === 'feature' && typeof name === 'string'))
  );
};

function stored(userId: number): readonly RecentPage[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(storageKey(userId)) ?? '[]');
    return Array.isArray(value) ? value.filter(isRecentPage) : [];
  } catch {
    return [];
  }
}

const cache = new Map<number, readonly RecentPage[]>();
const listeners = new Set<() => void>();

function recentOf(userId: number): readonly RecentPage[] {
  const places = cache.get(userId) ?? stored(userId);
  cache.set(userId, places);
  return places;
}

/** Newest first. */
export function remember(userId: number, place: RecentPage): void {
  const others = recentOf(userId).filter((each) => keyOf(each) !== keyOf(place));
  const places = [place, ...others].slice(0, kept);
  cache.set(userId, places);
  try {
    localStorage.setItem(storageKey(userId), JSON.stringify(places));
  } catch {
    // Without storage, the list is lost with the tab.
  }
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useRecent = (userId: number): readonly RecentPage[] =>
  useSyncExternalStore(subscribe, () => recentOf(userId));
