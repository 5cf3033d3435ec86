/** What the address of an archive says. */
interface ArchiveSearch {
  readonly query?: string;
}

export const readArchiveSearch = ({ query }: Record<string, unknown>): ArchiveSearch => {
  const text = typeof query === 'number' ? String(query) : query;
  return typeof text === 'string' && text !== '' ? { query: text } : {};
};
