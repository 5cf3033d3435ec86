/** What others wrote can hold anything: what moves the cursor, or turns text around, is left out. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ');
