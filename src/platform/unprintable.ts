/**
 * Control characters, characters that reverse or hide text, and line separators. A terminal obeys some of them: a name
 * with an escape sequence could clear the screen or forge other lines of a table. The two joiners of Persian words and of
 * emoji are not among them.
 */
export const unprintable = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{NChar}]/gu;
