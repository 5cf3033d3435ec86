/** What the address of a list says. */
export interface ListSearch {
  readonly query?: string;
}

export const readListSearch = ({ query: raw }: Record<string, unknown>): ListSearch => {
  const query = typeof raw === 'number' ? String(raw) : raw;
  return typeof query === 'string' && query !== '' ? { query } : {};
};

export const listSearch = (query: string): ListSearch => (query === '' ? {} : { query });
