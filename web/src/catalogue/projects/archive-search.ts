/** The search parameters of an archive. */
interface ArchiveSearch {
  readonly query?: string;
}

export const readArchiveSearch = ({ query }: Record<string, unknown>): ArchiveSearch => {
  const text = typeof query === 'number' ? String(query) : query;
  return typeof text === 'string' && text !== '' ? { query: text } : {};
};
