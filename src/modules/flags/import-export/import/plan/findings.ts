import type { Finding } from '../contract.ts';

/** Collects findings by message, with each item once. */
export function createFindings() {
  const found = new Map<string, Set<string>>();
  return {
    add(message: string, ...items: string[]): void {
      const own = found.get(message) ?? new Set();
      for (const item of items) own.add(item);
      found.set(message, own);
    },
    list: (): Finding[] =>
      [...found].map(([message, items]) => ({ message, affectedItems: [...items] })),
  };
}
export type Findings = ReturnType<typeof createFindings>;

/** An answer names this many items and counts the others. */
const maxItems = 20;

export function sentenceOf({ message, affectedItems }: Finding): string {
  if (affectedItems.length === 0) return message;
  const left = affectedItems.length - maxItems;
  const first = affectedItems.slice(0, maxItems).join(', ');
  return `${message}: ${first}${left > 0 ? ` and ${left} more` : ''}`;
}
