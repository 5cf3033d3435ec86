import { actorName, type Directory } from '../directory.ts';

/** The name of someone whom the API names by a sign-in name; the address or username as a note. */
export const personName = (
  { id, name }: { readonly id: number; readonly name: string },
  directory: Directory,
) => actorName({ createdBy: name, createdByUserId: id }, directory);
