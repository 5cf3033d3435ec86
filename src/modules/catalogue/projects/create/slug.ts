/** Leaves room for a number in the hundred characters of an id. */
const maxLength = 90;

/** An id made of a name: lower case, Latin letters, digits, and hyphens between the words. */
export const slugOf = (name: string): string => {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxLength)
    .replace(/^-+|-+$/g, '');
  return slug === '' ? 'project' : slug;
};

/** The slug, or the first free one of slug-1, slug-2 … */
export const freeSlug = (slug: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(slug)) return slug;
  let number = 1;
  while (taken.has(`${slug}-${number}`)) number += 1;
  return `${slug}-${number}`;
};
