/** A seeded random number generator (mulberry32). */
export interface Random {
  /** From 0 inclusive to 1 exclusive. */
  readonly fraction: () => number;
  /** From 0 inclusive to `below` exclusive. */
  readonly integer: (below: number) => number;
  /** Picks low numbers more often than high ones, as in real data. */
  readonly skewed: (below: number) => number;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  readonly uuid: () => string;
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const word = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const fraction = () => word() / 2 ** 32;
  const integer = (below: number) => Math.floor(fraction() * below);
  const fourBytes = () => {
    const bits = word();
    return [
      `${hex[bits >>> 24]}${hex[(bits >>> 16) & 255]}`,
      `${hex[(bits >>> 8) & 255]}${hex[bits & 255]}`,
    ] as const;
  };
  return {
    fraction,
    integer,
    skewed: (below) => Math.floor(fraction() ** 1.6 * below),
    pick: (items) => {
      const item = items[integer(items.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    uuid: () => {
      const [a, b] = fourBytes();
      const [c, d] = fourBytes();
      const [e, f] = fourBytes();
      const [g, h] = fourBytes();
      return `${a}${b}-${c}-4${d.slice(1)}-a${e.slice(1)}-${f}${g}${h}`;
    },
  };
}
