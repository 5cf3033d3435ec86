/** Removes characters that move the cursor or reverse text, because the text may come from anybody. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ');
