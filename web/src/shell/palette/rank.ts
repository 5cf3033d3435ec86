/** How well a name matches the typed text: 0 is no match, more is better. */
export function quality(name: string, typed: string): number {
  const text = name.toLowerCase();
  const query = typed.trim().toLowerCase();
  if (query === '') return 1;
  if (text === query) return 100;
  // The shorter of two names is closer to the typed text.
  const shortness = 5 * (query.length / text.length);
  if (text.startsWith(query)) return 80 + shortness;
  const at = text.indexOf(query);
  if (at > 0) return (/[\s\-_.:/]/.test(text[at - 1] ?? '') ? 60 : 40) + shortness;
  const words = query.split(/[\s\-_.]+/).filter((word) => word !== '');
  if (words.length > 1 && words.every((word) => text.includes(word))) return 30 + shortness;
  return lettersInOrder(text, query) ? 10 + shortness : 0;
}

/** "cep" finds checkout-express-pay: all letters in order, the first one at the beginning of a word. */
function lettersInOrder(text: string, query: string): boolean {
  if (query.length < 2) return false;
  let from = 0;
  for (const [index, letter] of [...query].entries()) {
    let at = text.indexOf(letter, from);
    while (index === 0 && at > 0 && !/[\s\-_.:/]/.test(text[at - 1] ?? '')) {
      at = text.indexOf(letter, at + 1);
    }
    if (at === -1) return false;
    from = at + letter.length;
  }
  return true;
}

interface Ranked<T> {
  readonly item: T;
  readonly quality: number;
}

/** The best matches, best first; those with the same quality keep their order. */
export function best<T>(
  items: Iterable<T>,
  typed: string,
  { nameOf, limit }: { readonly nameOf: (item: T) => string; readonly limit: number },
): Ranked<T>[] {
  const found: Ranked<T>[] = [];
  for (const item of items) {
    const value = quality(nameOf(item), typed);
    if (value > 0) found.push({ item, quality: value });
  }
  return found.sort((a, b) => b.quality - a.quality).slice(0, limit);
}
