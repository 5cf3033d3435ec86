interface Placed {
  readonly identifier: string;
  readonly parent: string | null;
}

/** Each edge after its upstream, with the number of edges between it and this installation. */
export function edgesInOrder<Edge extends Placed>(
  edges: readonly Edge[],
): { readonly edge: Edge; readonly level: number }[] {
  const known = new Set(edges.map(({ identifier }) => identifier));
  const isBehind = ({ parent }: Edge) => parent !== null && known.has(parent);
  const placed = new Map<Edge, number>();
  const place = (edge: Edge, level: number): void => {
    if (placed.has(edge)) return;
    placed.set(edge, level);
    for (const each of edges) if (each.parent === edge.identifier) place(each, level + 1);
  };
  for (const edge of edges) if (!isBehind(edge)) place(edge, 0);
  // Reports may name each other as their upstream.
  for (const edge of edges) place(edge, 0);
  return [...placed].map(([edge, level]) => ({ edge, level }));
}

const minuteMs = 60_000;
/** Edges report every minute. */
const silentMs = 3 * minuteMs;

/** Whether an edge has missed several reports. */
export const isSilent = (reportedAt: string, now: Date): boolean =>
  now.getTime() - Date.parse(reportedAt) > silentMs;

/** The age of the state of an edge: "4 s", "3 min", "2 h", "5 d". */
export function ageText(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3_600],
    ['min', 60],
  ] as const;
  const [unit, length] = units.find(([, each]) => seconds >= each) ?? ['s', 1];
  return `${Math.floor(seconds / length)} ${unit}`;
}
