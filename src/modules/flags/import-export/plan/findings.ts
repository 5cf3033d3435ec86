import type { Finding } from '../contract/endpoints.ts';

/** Collects what is found, by what there is to say of it; each item once, in the order of finding. */
export function findings() {
  const found = new Map<string, Set<string>>();
  return {
    add(message: string, ...items: string[]): void {
      const known = found.get(message) ?? new Set();
      for (const item of items) known.add(item);
      found.set(message, known);
    },
    list: (): Finding[] =>
      [...found].map(([message, items]) => ({ message, affectedItems: [...items] })),
  };
}
export type Findings = ReturnType<typeof findings>;

/** An answer names so many, and counts the others. */
const maxItems = 20;

/** A finding as one sentence. */
export function inWords({ message, affectedItems }: Finding): string {
  if (affectedItems.length === 0) return message;
  const left = affectedItems.length - maxItems;
  const named = affectedItems.slice(0, maxItems).join(', ');
  return `${message}: ${named}${left > 0 ? ` and ${left} more` : ''}`;
}
