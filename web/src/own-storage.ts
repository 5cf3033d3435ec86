import { basePath } from './api.ts';

/** Everything with this prefix is removed at sign-out: names of features and drafts are not for the next user. */
const prefix = `burgee-own ${basePath} `;

/** Prefixes of earlier versions. */
const formerPrefixes = ['burgee-recent ', 'burgee-log-views', 'burgee draft ', 'burgee text '];

/** The key of something that belongs to one user of this browser. */
export const ownKey = (userId: number, what: string): string => `${prefix}${userId} ${what}`;

/** Removes everything of the user who signs out. */
export function forgetOwn(): void {
  for (const storage of [localStorage, sessionStorage]) {
    for (const key of Object.keys(storage)) {
      if ([prefix, ...formerPrefixes].some((each) => key.startsWith(each))) storage.removeItem(key);
    }
  }
}
