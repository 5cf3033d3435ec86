/** How long a token works. */
export const terms = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
  { value: 'never', label: 'Until it is revoked' },
];

export const expiryOf = (term: string): string | null =>
  term === 'never' ? null : new Date(Date.now() + Number(term) * 86_400_000).toISOString();
