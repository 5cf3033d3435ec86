export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Beyond this, lines are not compared one by one: the whole is replaced. */
const maxCells = 4_000_000;

/** The lines of two texts, in the order in which somebody reads a difference. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, now] = [
    before === '' ? [] : before.split('\n'),
    after === '' ? [] : after.split('\n'),
  ];
  const kind = (name: DiffLine['kind']) => (text: string) => ({ kind: name, text });
  if (old.length * now.length > maxCells)
    return [...old.map(kind('removed')), ...now.map(kind('added'))];
  // common[i][j]: how many lines the rests from i and j have in common.
  const common = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  const at = (i: number, j: number) => common[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const row = common[i] as Uint32Array;
      row[j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push({ kind: 'same', text: old[i] as string });
      i += 1;
      j += 1;
    } else if (j >= now.length || (i < old.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: 'removed', text: old[i] as string });
      i += 1;
    } else {
      lines.push({ kind: 'added', text: now[j] as string });
      j += 1;
    }
  }
  return lines;
}
