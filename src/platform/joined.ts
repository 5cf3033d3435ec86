/** Sentences are English, whatever the locale of the machine. */
const joinWith = (type: Intl.ListFormatType) => {
  const lists = new Intl.ListFormat('en', { type });
  return (items: readonly string[], most = items.length): string => {
    const rest = items.length - most;
    return lists.format(rest > 0 ? [...items.slice(0, most), `${rest} more`] : items);
  };
};

/** "a, b, and c"; with `most` of 2: "a, b, and 1 more". */
export const joinAnd = joinWith('conjunction');

/** "a, b, or c". */
export const joinOr = joinWith('disjunction');
