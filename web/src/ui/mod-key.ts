const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);

/** The key that shortcuts are held with. */
export const modKey = isMac ? '⌘' : 'Ctrl';
