/** `/body/name must …; you sent …` is for programs: a field says its place, and shows what was typed. */
export const faultMessage = (message: string): string =>
  message
    .replace(/^Request validation failed: /, '')
    .replace(/^\/body\S*\s/, 'It ')
    .replace(/; you sent .*$/s, '');
