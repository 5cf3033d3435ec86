import type { CreatorDocument } from '../document.ts';

export const dated = <Row extends { readonly created_at: Date }>({ created_at, ...row }: Row) => ({
  ...row,
  createdAt: created_at.toISOString(),
});

export const creatorOf = (
  name: string,
  id: number | null,
  logins: ReadonlyMap<number, string>,
): CreatorDocument => {
  const account = id === null ? undefined : logins.get(id);
  return { name, ...(account && { account }) };
};
