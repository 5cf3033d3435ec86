/** When a token expires. */
export const terms = [
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
  { value: 'never', label: 'Never' },
];

export const expiryOf = (term: string): string | null =>
  term === 'never' ? null : new Date(Date.now() + Number(term) * 86_400_000).toISOString();
