/** The URL of this instance as the user reaches it, without a slash at its end. */
export const instanceUrl = (): string => document.baseURI.replace(/\/$/, '');
