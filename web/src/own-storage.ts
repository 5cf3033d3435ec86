import { basePath } from './api.ts';

/** Everything below is removed when somebody signs out: names of features and drafts are not for the next person. */
const prefix = `burgee-own ${basePath} `;

/** What earlier versions stored, some of it for whoever came next. */
const formerPrefixes = ['burgee-recent ', 'burgee-log-views', 'burgee draft ', 'burgee text '];

/** The key of something that one person leaves in this browser. */
export const ownKey = (userId: number, what: string): string => `${prefix}${userId} ${what}`;

/** Removes what the person who signs out left in this browser. */
export function forgetOwn(): void {
  for (const storage of [localStorage, sessionStorage]) {
    for (const key of Object.keys(storage)) {
      if ([prefix, ...formerPrefixes].some((each) => key.startsWith(each))) storage.removeItem(key);
    }
  }
}
