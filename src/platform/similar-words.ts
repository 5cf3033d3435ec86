/** Returns the edit distance of two words. */
export function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of Array.from(a).entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const replaced = (row[j] as number) + (letter === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] as number) + 1, (next[j] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}

/** Returns the words most similar to a mistyped one. Long input is truncated, which does not change the result. */
export const listSimilar = (word: string, words: readonly string[], count = 3): string[] =>
  words
    .map((candidate) => ({
      candidate,
      edits: distance(word.slice(0, 60).toLowerCase(), candidate),
    }))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, count)
    .map(({ candidate }) => candidate);
