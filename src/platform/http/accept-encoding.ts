/** Whether a client takes gzip: it names it, and not only to say that it does not. */
export const takesGzip = (header: string | string[] | undefined): boolean =>
  String(header ?? '')
    .toLowerCase()
    .split(',')
    .some((each) => {
      const [coding, quality = ''] = each.split(';');
      return coding?.trim() === 'gzip' && !/^\s*q\s*=\s*0(\.0*)?\s*$/.test(quality);
    });
